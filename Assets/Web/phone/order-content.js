// What the page of orders says of an order by its state.

import { age } from "./clock.js";
import { dayInWords, dayOf } from "./moments.js";
import { language, range, say, timeOf } from "./page.js";

/** A moment of the shop's clock, which showed `then` when the view came: its day and its time. */
const moment = (name, at, then) =>
  say(name, { day: dayInWords(dayOf(at), dayOf(then, age()), language), time: timeOf(at) });

export const parcelsInWords = (count) => say(count === 1 ? "parcel" : "parcels", { n: count });

/** Since when the order is promised, as a line of the details. */
export const promisedInWords = ({ promised, now }) => say("promised", { moment: moment("fromTime", promised, now) });

const ahead = (count) => count ? say(count === 1 ? "aheadOne" : "ahead", { n: count }) : "";

/** The look of the card, and its lines, for the order of an entry whose clock is set. */
export function orderContent({ view, isUnknown }) {
  const { state, ready, promised, since, now, wait, desk, wasAtDesk } = view.order;
  // Without the code nothing can be shown.
  const show = (name) => say(view.symbol ? name : "withoutCode");
  if (isUnknown) return { look: "ended", symbol: "bad", first: say("unknown"), hint: say("unknownNow") };
  switch (state) {
    case "promised": case "on-shelf":
      if (wasAtDesk) return { look: "planned", range: say("putBack"), hint: show("putBackNow") };
      if (!ready) return { look: "planned", first: say("later"), range: moment("fromTime", promised, now) };
      return { look: "planned", range: say("ready"), hint: show("readyNow") };
    case "arrived": case "fetching": return {
      look: "planned", first: say(state), range: wait ? say("atDesk", { range: range(wait) }) : "",
      second: state === "arrived" && wait ? ahead(wait.peopleAhead) : "", hint: say("arrivedNow"),
    };
    case "called": return { look: "called", symbol: "called", first: say("called", { n: desk }) };
    case "not-found": return { look: "calm", symbol: "scan", first: say("not-found"), hint: say("not-foundNow") };
    case "handed-over": return { look: "calm", symbol: "done", first: say("handed-over"), range: moment("dayAndTime", since, now) };
    default: return { look: "ended", symbol: "bad", first: say(state), hint: say(`${state}Now`) };
  }
}
