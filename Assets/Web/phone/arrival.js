// The question whether the customer of an order is at the door of its shop, after the door's symbol was scanned
// [Click-And-Collect UC10]: a part of the page of orders that is loaded when it was opened with that symbol.

import { arrivalTexts } from "./arrival-words.js";
import { newKey, send } from "./server.js";

/** What this part needs of the page. */
let page;
/** Whether the arrival is being said, the key with which that is repeated, and the name of the text that says why it was not. */
let isSaying = false;
let arrivalKey = "";
let mistake = "";
/** The order of which the customer said not now. */
let declined = "";

/** Joins this part to the page. */
export function start(own) {
  page = own;
  page.addTexts(arrivalTexts);
  page.onClick("iAmHere", sayToBeHere);
  page.onClick("notNow", () => {
    declined = page.shown();
    page.draw();
    page.part("turn").focus();
  });
}

/** To be called as the page opens; a new symbol of the door asks again. */
export function open(isNewDoor) {
  mistake = "";
  if (isNewDoor) declined = "";
}

/** Says that the customer is here; once more with the same key if no answer came. */
async function sayToBeHere() {
  const own = page.shown();
  if (isSaying || !own) return;
  const { invitation } = page.door();
  isSaying = true;
  mistake = "";
  arrivalKey = arrivalKey || newKey();
  page.draw();
  const { status, body } = await send("arrival", { code: page.codeOf(own), invitation }, arrivalKey);
  isSaying = false;
  const name = /[^:]*$/.exec(body && body.type || "")[0];
  if (status) arrivalKey = "";
  const isDone = status === 200 || status === 201;
  // Its number is known at once, also if the next call gets no answer.
  if (isDone) page.arrived(own, body);
  if (name === "invitation-over" && page.door().invitation === invitation) page.leaveDoor();
  if (own === page.shown()) {
    mistake = isDone ? ""
      : !status ? "notHereYet"
        : { "invitation-over": "scanAgain", "shop-closed": "shopClosed", "too-many-requests": "atMachine" }[name] || "didNotWork";
  }
  page.draw();
  if (own !== page.shown()) return;
  page.part(mistake ? "error" : "turn").focus();
  if (status) page.askAgain(own);
}

/**
 * Draws the question about an order, which `canArrive` if the door's symbol opened the page and its customer has not said to
 * be here; nothing for null. Returns whether it is asked.
 */
export function draw(order, canArrive) {
  const { part, show, say } = page;
  if (!order || page.isHere(order) || !page.isOpen(order)) mistake = "";
  const wasAsked = !part("iAmHere").hidden;
  const isAsked = !!order && canArrive && order.ready && declined !== page.shown();
  if (order && wasAsked && !isAsked && page.door().invitation && !page.isAtDoor() && !page.isHere(order)) {
    // The door has another code by now.
    page.leaveDoor();
    mistake = "scanAgain";
    if (part("here").contains(document.activeElement)) requestAnimationFrame(() => part("error").focus());
  }
  part("here").hidden = !isAsked && !mistake;
  show("askHere", isAsked ? say("askHere", { reference: order.reference, parcels: page.parcelsInWords(order.parcels) }) : "");
  // When it would be at the desk, if the customer said now to be here.
  show("wouldBe", isAsked && order.wait ? say("wouldBe", { range: page.range(order.wait) }) : "");
  show("iAmHere", isAsked ? say(isSaying ? "moment" : "iAmHere") : "");
  show("notNow", isAsked ? say("notNow") : "");
  for (const id of ["iAmHere", "notNow"]) /** @type {HTMLButtonElement} */ (part(id)).disabled = isSaying;
  show("error", mistake ? say(mistake) : "");
  return isAsked;
}
