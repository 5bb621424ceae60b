// What the page for joining says of an offer and of a refusal.

import { milliseconds, until } from "./clock.js";
import { dayInWords } from "./moments.js";
import { inMinutes, inSeconds, language, people, range, say, threeDigits, timeOf } from "./page.js";
import { isText } from "./words.js";

const MINUTE = 60000;
/** A customer elsewhere who is not called within this time need not look at the page all the while. */
const SOON = 15 * MINUTE;

const [kind, name] = location.pathname.slice(1).split("/");
/** Whether the page is for visits (rules: visits). */
export const isVisit = kind === "visit";
/** The shop of the address, for customers who are elsewhere; empty at the door. */
export const tag = isVisit || kind === "join" ? (name || "").toUpperCase() : "";

/** The capability of the visit that is to be moved, which follows after # of its address; empty for a new visit. */
export const capabilityOfLink = () => location.hash.slice(1).toUpperCase();

/** What is asked for a place with: the shop's tag, or the invitation of the symbol at its door. */
export const requestOfLink = () => tag ? { shop: tag } : { invitation: location.hash.slice(1).toUpperCase() };

/** The name of a refusal (RFC 9457). */
export const nameOf = (document) => String(document && document.type).split(":").pop();

/** A moment of the shop's clock with its day. */
export function dayAndTime(moment) {
  const ofShop = Date.now() + milliseconds(`${moment.slice(0, 19)}Z`) - milliseconds(moment);
  const day = dayInWords(moment.slice(0, 10), new Date(ofShop).toISOString().slice(0, 10), language);
  return `${day}, ${say("at", { time: timeOf(moment) })}`;
}

/** The text by name, or the one for a visit, or for a customer who is elsewhere. */
export const sayHere = (name, values) =>
  say(["Visit", "Away"].slice(isVisit ? 0 : 1).map((end) => name + end).find((one) => tag && isText(one)) || name, values);

/** How long the place is kept, in words that change seldom. */
function keptFor(left) {
  const time = left > MINUTE ? inMinutes(Math.round(left / MINUTE)) : inSeconds(10 * Math.ceil(left / 10000));
  return say("kept", { time });
}

/**
 * What is shown of a place on offer. After it was accepted there are the names of two texts: what to know of that, and what
 * the button says.
 */
export function offered({ now, wait, expires, visit }, [note, button] = ["", visit ? "takeVisit" : "take"]) {
  const words = { look: "planned", kept: note ? `${say("offline")} ${say(note)}` : keptFor(until(expires)), button };
  if (visit) {
    const [day, today] = [visit.start, now].map((moment) => moment.slice(0, 10));
    return {
      ...words, first: dayInWords(day, today, language), range: say("at", { time: timeOf(visit.start) }),
      second: [say("untilAbout", { time: timeOf(visit.end) }), ...visit.departments || []].join(" · "), hint: say("visitNow"),
    };
  }
  const ahead = wait.peopleAhead;
  const isLater = milliseconds(wait.earliest) - milliseconds(now) > SOON;
  return {
    ...words, first: say("offer"), range: range(wait),
    second: ahead === 0 ? say("next") : ahead > 0 ? say("before", { people: people(ahead) }) : "",
    hint: tag && [say("inTime"), isLater && say("willTell")].filter(Boolean).join(" "),
  };
}

/** Whether a visit keeps its slot, and gets another length or other departments only. */
export const keepsSlot = ({ reservation }, { start }) => milliseconds(start) === milliseconds(reservation.visit.start);

/** What is shown of a visit that is to be moved to the chosen slot, or is to get what its customer has said, which is in words. */
export function toMove(step, moved, chosen, choice) {
  const isChange = keepsSlot(moved, chosen);
  const moment = dayAndTime(moved.reservation.visit.start);
  return {
    look: "planned",
    ...isChange ? { first: say("changeTo"), range: choice, second: moment }
      : { first: say("moveTo"), range: dayAndTime(chosen.start), second: say("moveFrom", { moment }) },
    kept: step === "unmoved" ? `${say("offline")} ${say("unsureMove")}` : "",
    button: step === "moving" ? "moment" : step === "unmoved" ? "tryAgain" : isChange ? "changeIt" : "moveIt",
  };
}

/** What is shown of a refusal. */
export function refused(problem) {
  const { link, place, opens, until: end, reference } = problem;
  const bad = (first, hint, button = "") => ({ look: "ended", symbol: "bad", first, hint, button });
  switch (nameOf(problem)) {
    case "invitation-over":
      return { look: "calm", symbol: "scan", first: say("over"), hint: say("overNow") };
    case "already-waiting": {
      // A move is refused without the way to the other place, which may be in this shop.
      if (!link && isVisit && capabilityOfLink()) return bad(say("haveVisit"), "", "chooseTime");
      if (!link) return bad(sayHere("haveElsewhere"), sayHere("haveElsewhereNow"), isVisit ? "chooseTime" : "tryAgain");
      const { number, day } = place || /** @type {any} */ ({});
      return {
        look: "calm", symbol: "done", button: "showPlace",
        first: sayHere(number ? "haveNumber" : "have", {
          // The day is named by its date, also today.
          number: threeDigits(number), day: day && dayInWords(day, "", language),
        }),
      };
    }
    case "no-visits-on-phones": return bad(say("noVisits"), say("noVisitsNow"));
    case "too-many-visits": return bad(say("manyVisits"), say("manyVisitsNow"), "chooseTime");
    // The visit that was to be moved is called, or over, or of another phone.
    case "still-valid": case "inside": case "already-used": case "missed": case "already-deleted": case "cannot-move":
      return { ...bad(say("cannotMove"), say("cannotMoveNow"), link && "showPlace"), isOver: true };
    case "no-places-on-phones": return bad(say("noPhones"), sayHere("machine"));
    case "no-remote-places": return bad(say("noRemote"), say("noRemoteNow"));
    case "phone-places-taken": return bad(say("phonesTaken"), sayHere("orLater"), "tryAgain");
    case "remote-places-taken": return bad(say("remoteTaken"), sayHere("orLater"), "tryAgain");
    case "no-ticket-today": return bad(say("noTicket"), sayHere("noTicketNow"));
    case "shop-closed": return bad(say("shopClosed"), opens ? say("opens", { moment: dayAndTime(opens) }) : "");
    case "blocked":
      return {
        ...bad(say("blocked"),
          `${say("blockedNow")} ${end ? say("blockedUntil", { moment: dayAndTime(end) }) : ""} ${sayHere("machine")}`, "tryAgain"),
        // In two groups of four, as they are read aloud and typed.
        ...reference && { range: reference.replace(/.{4}/, "$& "), second: say("blockedReference") },
      };
    case "too-many-requests": return bad(sayHere("tooMany"), say(tag ? "tooManyNowAway" : "machine"), "tryAgain");
    case "work-needed": return bad(say("manyAsk"), sayHere("orLater"), "tryAgain");
    default: return bad(say("didNotWork"), sayHere("machine"), "tryAgain");
  }
}
