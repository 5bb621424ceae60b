// What the phone remembers of orders that are collected: their last views. All of it may be refused or lost.

import { keepSetting, setting } from "./memory.js";
import { isCapability, isCode, tagOf } from "./order-code.js";

const ORDERS = "clup-orders";
/** The tags of the shops with an order that can be collected, by which the page for joining knows that it may be one. */
const SHOPS = "clup-collect";
/** The most orders, those that are over included. */
const MOST_ORDERS = 20;
/** Twenty orders have about 40,000 characters; a text that is longer than this is not of these pages. */
const MOST_CHARACTERS = 200000;
const DAY = 86400000;
/** How long an order is kept after it was handed over, or was over in another way. */
const AFTER_END = 30 * DAY;
/** How long one is kept that was not seen: longer than shops keep orders. */
const UNSEEN = 100 * DAY;

/** Whether an order can still be collected. */
export const isOpen = ({ state }) => !/^(handed-over|cancelled|expired)$/.test(state);

/** So long after the end of an order its code is of no use. */
const CODE_AFTER_END = 900000;

/** An entry by its name; those of older pages were named by their codes. */
const named = (entry) => ({ ...Object(entry), name: Object(entry).name || Object(entry).code });

function isKept({ name, at, view }) {
  const { order } = Object(view);
  if (!isCapability(name) && !isCode(name)) return false;
  if (!order || !Array.isArray(view.languages) || !(Math.abs(Date.now() - at) < UNSEEN)) return false;
  return isOpen(order) || Date.now() - Date.parse(order.since) < AFTER_END;
}

/** An entry without its code, symbol and ticket, once these are of no use. */
function withoutCode(entry) {
  const { order } = entry.view;
  if (isOpen(order) || Date.now() - Date.parse(order.since) < CODE_AFTER_END) return entry;
  return { ...entry, code: undefined, view: { ...entry.view, symbol: undefined, order: { ...order, ticket: undefined } } };
}

/** The orders, the last seen first; only those that are neither too old nor too many. */
export function orders() {
  try {
    const kept = setting(ORDERS);
    const all = kept.length < MOST_CHARACTERS ? JSON.parse(kept).map(named).filter(isKept) : [];
    return all.map(withoutCode).slice(0, MOST_ORDERS);
  } catch {
    // There are none, or they are not of these pages.
    return [];
  }
}

function keep(all) {
  // If there are too many, those go first that are over.
  const kept = [...all].sort((one, other) => Number(isOpen(other.view.order)) - Number(isOpen(one.view.order)))
    .slice(0, MOST_ORDERS);
  keepSetting(ORDERS, JSON.stringify(kept));
  const open = kept.filter(({ view, isUnknown }) => isOpen(view.order) && !isUnknown);
  keepSetting(SHOPS, [...new Set(open.map(({ name }) => tagOf(name)))].join());
}

/** Forgets the codes of orders that ended a quarter of an hour ago or earlier. */
export function forgetCodes() {
  if (setting(ORDERS)) keep(orders());
}

/**
 * What is remembered of an order by its name, which is its capability: its last `view`, `at` which time of the phone it came,
 * the `code` if it was opened with that, whether the server knows it no more (`isUnknown`), and whether it has `notices`.
 */
export function remembered(name) {
  return orders().find((one) => one.name === name) || null;
}

export function remember(name, changes) {
  const former = remembered(name);
  if (!former && !changes.view) return;
  keep([{ at: Date.now(), ...former, ...changes, name }, ...orders().filter((one) => one.name !== name)]);
}

export function forget(name) {
  keep(orders().filter((one) => one.name !== name));
}
