// The texts of the form for the ten digits of the ticket, by language in the order of languages.js.

export const digitsTexts = {
  label: ["The ten digits under the large code on your ticket", "Le dieci cifre sotto il codice grande del biglietto", "Die zehn Ziffern unter dem großen Code auf Ihrem Ticket", "Les dix chiffres sous le grand code de votre ticket", "Las diez cifras bajo el código grande de su tique"],
  why: ["First, please show that the place is yours.", "Prima conferma che il posto è tuo.", "Bestätigen Sie bitte zuerst, dass der Platz Ihnen gehört.", "Confirmez d’abord que la place est à vous.", "Confirme primero que la plaza es suya."],
  taken: ["Three phones already get notifications for this place. Type the ten digits, and this phone will get them too.", "Tre telefoni ricevono già le notifiche per questo posto. Scrivi le dieci cifre e le riceverà anche questo.", "Drei Handys bekommen schon Benachrichtigungen zu diesem Platz. Geben Sie die zehn Ziffern ein, dann bekommt auch dieses Handy sie.", "Trois téléphones reçoivent déjà les notifications de cette place. Saisissez les dix chiffres pour que celui-ci les reçoive aussi.", "Tres móviles ya reciben las notificaciones de esta plaza. Escriba las diez cifras y este también las recibirá."],
  wrong: ["That is not right. Please check all ten digits.", "Le cifre non sono giuste. Controllale tutte e dieci.", "Das stimmt nicht. Bitte prüfen Sie alle zehn Ziffern.", "Ces chiffres ne sont pas les bons. Vérifiez-les tous.", "No es correcto. Compruebe las diez cifras."],
  go: ["Continue", "Continua", "Weiter", "Continuer", "Continuar"],
  cancel: ["Not now", "Non ora", "Jetzt nicht", "Pas maintenant", "Ahora no"],
};
