// What a page shows before its shop knows it: the command that adds it. The languages of the shop are not known then.

import { ownNameOf } from "/web/language.js";
import { element, put } from "/web/parts.js";

/** By language in this order. */
const LANGUAGES = ["en", "it", "de", "fr", "es"];
const texts = {
  display: ["This display is not registered with its shop yet", "Questo tabellone non è ancora registrato presso il negozio", "Diese Anzeige ist noch nicht im System des Geschäfts registriert", "Cet écran n’est pas encore enregistré auprès du magasin", "Esta pantalla aún no está registrada en la tienda"],
  reader: ["This reader is not registered with its shop yet", "Questo lettore non è ancora registrato presso il negozio", "Dieses Lesegerät ist noch nicht im System des Geschäfts registriert", "Ce lecteur n’est pas encore enregistré auprès du magasin", "Este lector aún no está registrado en la tienda"],
  desk: ["This desk is not registered with its shop yet", "Questo banco ritiri non è ancora registrato presso il negozio", "Dieser Abholschalter ist noch nicht im System des Geschäfts registriert", "Ce comptoir n’est pas encore enregistré auprès du magasin", "Este mostrador aún no está registrado en la tienda"],
  staff: ["This staff page is not registered with its shop yet", "Questa pagina del personale non è ancora registrata presso il negozio", "Diese Seite für das Personal ist noch nicht im System des Geschäfts registriert", "Cette page du personnel n’est pas encore enregistrée auprès du magasin", "Esta página del personal aún no está registrada en la tienda"],
  how: ["The person who looks after the shop’s server must run this command there. This page will then continue by itself.", "Chi gestisce il server del negozio deve eseguire lì questo comando. Poi questa pagina andrà avanti da sola.", "Wer den Server des Geschäfts betreut, muss dort diesen Befehl ausführen. Danach geht es auf dieser Seite von selbst weiter.", "La personne qui gère le serveur du magasin doit y exécuter cette commande. La suite s’affichera automatiquement.", "Quien administra el servidor de la tienda debe ejecutar allí este comando. Después, esta página continuará automáticamente."],
  key: ["Public key", "Chiave pubblica", "Öffentlicher Schlüssel", "Clé publique", "Clave pública"],
  fingerprint: ["Fingerprint: it must match the one that the command shows", "Impronta: deve essere uguale a quella mostrata dal comando", "Fingerabdruck: Er muss mit dem übereinstimmen, den der Befehl ausgibt", "Empreinte : elle doit être identique à celle qu’affiche la commande", "Huella digital: debe coincidir con la que muestra el comando"],
};

let language = navigator.languages.map((code) => code.slice(0, 2)).find((code) => LANGUAGES.includes(code)) || "en";

let redraw = () => {};

function parts() {
  return [
    element("h1"), element("p"), element("pre"),
    element("dl", {}, element("dt", { className: "fingerprint" }), element("dd"), element("dt", { className: "key" }), element("dd")),
    element("nav", {}, ...LANGUAGES.map((code) => {
      const button = element("button", { type: "button", lang: code, textContent: ownNameOf(code) });
      button.addEventListener("click", () => {
        language = code;
        redraw();
      });
      return button;
    })),
  ];
}

/** Shows the command to a page of a role with this key; what is as it was is not touched, since it may be being copied. */
export function showEnrolment(panel, role, command, key) {
  if (!panel.children.length) panel.append(...parts());
  redraw = () => showEnrolment(panel, role, command, key);
  const say = (name) => texts[name][LANGUAGES.indexOf(language)];
  panel.lang = language;
  put(panel, "h1", say(role in texts ? role : "reader"));
  put(panel, "p", say("how"));
  put(panel, "pre", command);
  put(panel, "dt.fingerprint", say("fingerprint"));
  put(panel, "dt.fingerprint + dd", key.fingerprint);
  put(panel, "dt.key", say("key"));
  put(panel, "dt.key + dd", key.text);
  for (const button of panel.querySelectorAll("nav button")) {
    button.setAttribute("aria-pressed", String(button.lang === language));
  }
  panel.hidden = false;
}
