// What the pages say of a place, by the state that its last view has.

import { age, until } from "./clock.js";
import { dayOf, dayWithDate } from "./moments.js";
import { language, people, range, say, timeLeft, timeOf } from "./page.js";
import { entry, paper, reservation } from "./view.js";
import { isText } from "./words.js";

/** The text by name, or the one for a place that was taken on this phone; empty if it comes with a part. */
export function sayOfPlace(name) {
  const own = entry && isText(`${name}Phone`) ? `${name}Phone` : name;
  return isText(own) ? say(own) : "";
}

/** What is shown of the place: its look, its symbol and its lines. */
export function cardContent() {
  const { state, kind, wait, visit, enterBy, reclaimBy } = reservation;
  if (state === "called") {
    const left = until(enterBy);
    return {
      look: "called", symbol: "called", first: say("called"), range: say("until", { time: timeOf(enterBy) }),
      second: left && say("left", { time: timeLeft(left) }),
      hint: sayOfPlace(paper ? "showTicketPhone" : "showTicket"),
    };
  }
  if (state === "planned" && kind === "visit" && visit) {
    return {
      look: "planned", first: dayWithDate(visit.start.slice(0, 10), dayOf(reservation.now, age()), language),
      range: say("at", { time: timeOf(visit.start) }), second: (visit.departments || []).join(" · "),
    };
  }
  if (state === "planned" && wait) {
    const ahead = wait.peopleAhead;
    return {
      look: "planned", first: say("comeIn"), range: range(wait),
      second: ahead === 0 ? say("next") : ahead > 0 ? say("before", { people: people(ahead) }) : "",
    };
  }
  if (state === "planned") return { look: "planned", hint: say("watch") };
  const isGood = state === "inside" || state === "used";
  return {
    look: isGood ? "calm" : "ended", symbol: isGood ? "done" : "bad", first: sayOfPlace(state),
    hint: until(reclaimBy) ? say("reclaimNow", { time: timeOf(reclaimBy) })
      : sayOfPlace(state === "deleted" ? "missedNow" : `${state}Now`),
  };
}
