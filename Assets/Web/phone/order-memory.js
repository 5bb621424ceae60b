// What the phone remembers of orders that are collected: their last views. All of it may be refused or lost.

import { keepSetting, setting } from "./memory.js";
import { isCode, tagOf } from "./order-code.js";

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

function isKept(entry) {
  const { code, at, view } = Object(entry);
  const { order } = Object(view);
  if (!isCode(code) || !order || !Array.isArray(view.languages) || !(Math.abs(Date.now() - at) < UNSEEN)) return false;
  return isOpen(order) || Date.now() - Date.parse(order.since) < AFTER_END;
}

/** The orders, the last seen first; only those that are neither too old nor too many. */
export function orders() {
  try {
    const kept = setting(ORDERS);
    return kept.length < MOST_CHARACTERS ? JSON.parse(kept).filter(isKept).slice(0, MOST_ORDERS) : [];
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
  keepSetting(SHOPS, [...new Set(open.map(({ code }) => tagOf(code)))].join());
}

/**
 * What is remembered of an order: its last `view`, `at` which time of the phone it came, whether the server knows it no more
 * (`isUnknown`), and whether it has `notices`.
 */
export function remembered(code) {
  return orders().find((one) => one.code === code) || null;
}

export function remember(code, changes) {
  const former = remembered(code);
  if (!former && !changes.view) return;
  keep([{ at: Date.now(), ...former, ...changes, code }, ...orders().filter((one) => one.code !== code)]);
}

export function forget(code) {
  keep(orders().filter((one) => one.code !== code));
}
