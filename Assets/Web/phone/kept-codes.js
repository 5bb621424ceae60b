// How long this phone keeps what lets the customers of its places in.

import { keepPlaces, places } from "./memory.js";

/** So long after the end of a place its code is of no use. */
const AFTER_END = 900000;
/** A ticket that was not looked at for so long is over, whatever was seen then; and so is a visit so long after its slot. */
const UNSEEN = 43200000;

/** Forgets the codes of places that have ended, as far as this phone knows, a quarter of an hour after that. */
export function forgetCodes() {
  const all = places();
  const isOver = ({ at, view, entry, paper }) => {
    const { state = "planned", visit } = view ? view.reservation : /** @type {any} */ ({});
    const isOpen = /planned|called|inside/.test(state);
    const seen = isOpen && visit ? Date.parse(visit.end) : at;
    return (entry || paper) && Date.now() - seen > (isOpen ? UNSEEN : AFTER_END);
  };
  if (all.some(isOver)) keepPlaces(all.map((one) => isOver(one) ? { ...one, entry: undefined, paper: undefined } : one));
}
