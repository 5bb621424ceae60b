// Runs before anything else of a page is there, in every browser: takes the code of a paper out of the address with which its
// symbol opened the page. An address is shared, stored and shown, and the code lets its holder in.

(function () {
  var code = "";

  /** The code that was in the address since the last call; empty if there was none. */
  window["takeCode"] = function () {
    // It is the shop's tag and 128 bits, among what programs that read symbols put around a link; older links have its prefix.
    var found = /(\b|%..)(\w{30})\b/.exec(location.hash.toUpperCase());
    if (found) history.replaceState(null, "", location.pathname);
    var taken = found ? found[2] : code;
    code = "";
    return taken;
  };
  code = window["takeCode"]();
})();
