import type { PolicyValues } from './policy-values.ts';

/** Returns the privacy policy in German, in Markdown: section by section what the English one says. */
export const de = ({ name, publisher, mail, ccpa, helpline }: PolicyValues): string => `
<h2 id="about-this-policy">Zu dieser Erklärung</h2>

${name} wird von ${publisher} herausgegeben. Diese Erklärung sagt, welche Daten wir über die Leserinnen und
Leser dieser Seiten haben, warum, wie lange, und was Sie dagegen tun können. Sie gilt für diese Seiten allein,
nicht für die, auf die sie verweisen, und nicht für das, was mit Daten außerhalb des Netzes geschieht.

Ist ein Satz darin unklar, schreiben Sie an ${mail}: Wir erklären ihn und schreiben ihn dann besser.

<h2 id="what-we-collect">Was wir erheben</h2>

Sie können hier alles lesen, ohne Konto, ohne Namen und ohne E-Mail-Adresse. Auf vier Wegen erfahren wir etwas
über Sie:

- Ihr Browser fragt unsere Server nach Seiten; das hinterlässt Zeilen in einem Protokoll.
- Öffnen Sie einen Artikel, so zählen wir einen Aufruf, mit der Netzadresse, von der er kam.
- Bestellen Sie den Newsletter, so geben Sie uns Ihre E-Mail-Adresse.
- Senden Sie das Kontaktformular oder den Widerspruch, so geben Sie uns Namen, E-Mail-Adresse und
  Telefonnummer, Ihre Einwilligung, dass wir uns melden, und was Sie schreiben.

Wir kaufen keine Daten über Sie, und wir führen keinen der vier Wege mit einem anderen zusammen.

<h2 id="log-files">Protokolle</h2>

Wie die meisten Seiten führen wir Protokolle. Eine Zeile sagt, wann welche Seite verlangt wurde, wie die
Antwort war und wie lange sie dauerte. Sie enthält keinen Namen, keine E-Mail-Adresse, keine Netzadresse und
nichts, was in ein Formular oder das Suchfeld geschrieben wurde: von einer Suche nur, dass es sie gab, nicht
wonach gesucht wurde. Protokolle halten die Seiten am Laufen und zeigen Fehler; nach dreißig Tagen werden sie
gelöscht. Gegen Fluten von Anfragen zählen unsere Server außerdem die Anfragen je Netzadresse, im
Arbeitsspeicher und jeweils für eine Minute.

<h2 id="counting-views">Gezählte Aufrufe und Ihre Netzadresse</h2>

Wir möchten wissen, welche Artikel gelesen werden. Wird einer geöffnet, so gehen seine Nummer und die
Netzadresse (IP-Adresse) an unser Redaktionssystem, damit nicht dieselbe Person immer wieder gezählt wird.
Programme, die sich als Crawler ausweisen, zählen nicht, und auch Seiten nicht, die ein Browser auf
Verdacht lädt.

Wo wir keine öffentliche Adresse sehen, etwa im Netz einer Firma, steht die öffentliche Adresse dieses Netzes
dafür. Ist das Redaktionssystem nicht erreichbar, so wartet der Aufruf auf unserem Server in einer
Warteschlange und wird daraus gelöscht, sobald er weitergegeben ist.

<h2 id="measuring-speed">Gemessene Geschwindigkeit</h2>

Ein Besuch von zehn meldet uns am Ende, wie bald seine erste Seite erschien, wie sehr sie sich dabei verschob
und wie schnell sie reagierte, dazu die Art der Seite, ob das Fenster breit oder schmal war und ob ein Skript
fehlte. Diese Zahlen werden nur zusammengezählt; nichts an ihnen sagt, von wem sie sind oder welcher Artikel
es war.

<h2 id="what-forms-store">Was Formulare speichern, und wie lange</h2>

Was Sie senden, wird geprüft und an das System gegeben, in dem wir es beantworten, mit einem Fingerabdruck,
aus dem sich nichts lesen lässt: Zweimal gedrückt ist dort nicht zweimal gespeichert. Dieses System ist unser
Redaktionssystem oder, wo das keine Nachrichten nimmt, eine Datenbank daneben auf unserem Server, die auch die
Aufrufe zählt. Ist es nicht erreichbar, so wartet Ihre Nachricht auf unserem Server in einer Warteschlange und
wird daraus gelöscht, sobald sie angekommen ist. Eine Nachricht, die das andere System ablehnt, bleibt dreißig
Tage in der Warteschlange, damit jemand nachsehen kann, und wird dann gelöscht.

- Adressen für den Newsletter bleiben, bis Sie ihn abbestellen.
- Nachrichten und die Angaben darin bleiben bis zwei Jahre nach der letzten Antwort.
- Widersprüche bleiben, solange sie zu beachten sind.

<h2 id="cookies">Cookies und der Speicher Ihres Browsers</h2>

Diese Seiten setzen keine eigenen Cookies. Ihr Browser behält Kopien von Seiten und Bildern, wie von allen
Seiten; und musste eine Seite zweimal geladen werden, so ist ihre Adresse vermerkt, bis Sie den Tab schließen,
damit sie nicht ein drittes Mal geladen wird. Wie weit Sie auf jeder Seite gekommen sind, und was Sie in ein
Formular geschrieben und nicht gesendet haben, bleibt im Tab, damit Sie es wiederfinden, und ist mit ihm weg.
Alles davon können Sie in den Einstellungen Ihres Browsers löschen, ohne hier etwas zu verlieren. Videos, Ton
und Beiträge anderer Seiten sind ein Bild oder ein Link, bis Sie sie laden; was dann lädt, gehört dem Anbieter,
der Ihre Netzadresse erfährt und nach seinen eigenen Regeln Cookies setzen kann.

<h2 id="advertisements">Anzeigen</h2>

Wir verkaufen Platz, nicht Leser. Anzeigen werden für ihren Platz gewählt, sind für alle gleich, die ihn
sehen, und sind gekennzeichnet. Wir liefern sie selbst aus: Kein Werbenetz sieht Ihren Besuch, und keines
setzt über unsere Seiten ein Cookie oder einen Zählpixel. Dass jemand ihrer Anzeige gefolgt ist, erfährt eine
Firma, wenn Sie auf ihrer Seite ankommen, wie jede Seite; von da an gelten ihre Regeln.

<h2 id="what-for">Wozu wir Ihre Daten verwenden, und wer sie noch sieht</h2>

Um Ihnen den bestellten Brief zu senden, Ihnen zu antworten, Ihren Widerspruch zu beachten, zu wissen, welche
Artikel gelesen werden, und die Seiten am Laufen zu halten. Wir legen keine Profile an und lassen keine
Maschine über Sie entscheiden.

Die Firmen, die unsere Server betreiben und unsere Briefe versenden, verarbeiten Daten für uns und für nichts
sonst. Behörden geben wir Daten, wo das Gesetz uns zwingt; wer diese Publikation kaufte, bekäme sie nur unter
den Bedingungen dieser Erklärung. Die Schaltflächen zum Teilen eines Artikels sind einfache Links: Das
Netzwerk dahinter erfährt von Ihnen, wenn Sie ihm folgen, und nicht vorher.

<h2 id="do-not-sell">Kein Verkauf meiner Daten</h2>

Wir verkaufen keine persönlichen Daten und geben sie nicht für Werbung weiter. Sollte sich das je ändern, so
bleiben alle ausgenommen, die widersprochen haben. Widersprechen können Sie auf der Seite
[Meine Daten nicht verkaufen](/opt-out-form).

<h2 id="ccpa">Kalifornien: CCPA</h2>

Wenn Sie in Kalifornien leben, gibt Ihnen der California Consumer Privacy Act das Recht

- zu erfahren, was wir über Sie erhoben haben, woher es kam und wozu wir es verwenden;
- es berichtigen oder löschen zu lassen;
- seinen Verkauf und seine Weitergabe zu verbieten;
- nicht schlechter behandelt zu werden, weil Sie danach fragen.

${ccpa === null ? 'Schreiben' : `Rufen Sie unter ${ccpa} an (CCPA), schreiben`} Sie an ${mail} oder nehmen Sie
[das Formular für den Widerspruch](/opt-out-form). Mit Ihrer unterschriebenen Vollmacht kann auch jemand
anderes für Sie fragen. Wir antworten binnen 45 Tagen, und es kostet nichts.

<h2 id="caloppa">Kalifornien: CalOPPA</h2>

Wie es der California Online Privacy Protection Act verlangt, sagen wir zu:

- Sie können diese Seiten anonym besuchen.
- Am Fuß jeder Seite steht ein Link zu dieser Erklärung, mit dem Wort Datenschutz darin.
- Änderungen erfahren Sie auf dieser Seite, bevor sie gelten.
- Ihre Angaben können Sie ändern lassen: Schreiben Sie an ${mail} oder rufen Sie uns an.

<h2 id="do-not-track">Do Not Track</h2>

Die Signale Do Not Track und Global Privacy Control achten wir auf die einfachste Art: Wir verfolgen niemanden
über mehrere Seiten hinweg, was auch immer der Browser sagt, und lassen es über unsere Seiten niemanden tun.

<h2 id="coppa">Kinder: COPPA</h2>

Diese Seiten sind für Leute im Beruf geschrieben. Sie richten sich nicht an Kinder unter dreizehn Jahren, und
nach dem Children’s Online Privacy Protection Act erheben wir wissentlich nichts von ihnen. Eltern, die
glauben, dass ihr Kind uns geschrieben hat, können die Nachricht löschen lassen: Schreiben Sie an ${mail}.

<h2 id="can-spam">E-Mail: CAN-SPAM</h2>

Wie es der CAN-SPAM Act verlangt, gilt für jeden Brief, den wir senden:

- Er sagt wahrheitsgemäß, von wem er kommt, und sein Betreff passt zu dem, was darin steht.
- Ist er Werbung, so ist er als solche gekennzeichnet.
- Er nennt unsere Postanschrift.
- Er lässt sich mit einem Klick abbestellen, sofort und spätestens binnen zehn Werktagen.

Wir vermieten, verleihen und tauschen keine Adressen, und wir achten auf die, die Briefe für uns senden.

<h2 id="breach-notice">Wenn etwas schiefgeht</h2>

Geraten persönliche Daten in falsche Hände, so sagen wir es den Betroffenen per E-Mail binnen 1 Werktag,
nachdem wir es erfahren haben: was geschehen ist, welche Daten es betrifft, was wir tun und was Sie tun
können. Wo das Gesetz es verlangt, sagen wir es auch den Behörden. Haben wir uns nicht an das Gesetz gehalten,
so können Sie vor Gericht gehen.

<h2 id="protection">Wie Daten geschützt sind</h2>

Seiten und Formulare werden verschlüsselt übertragen. Die Warteschlange, in der Nachrichten warten, kann nur
unser Server lesen. Wenige Leute können lesen, was Sie uns senden, und nur zu dem Zweck, zu dem Sie es gesendet
haben. Kein Schutz ist vollkommen; darum erheben wir wenig und behalten es kurz.

<h2 id="your-rights">Ihre Rechte, wo auch immer Sie leben</h2>

Sie können eine Kopie Ihrer Daten verlangen, eine Berichtigung, ihre Löschung, oder dass wir sie nicht mehr
verwenden; eine Einwilligung können Sie jederzeit widerrufen. Das gewähren wir allen, nicht nur, wo es ein
Gesetz wie die Datenschutz-Grundverordnung verlangt, und wir antworten binnen dreißig Tagen. Genügt Ihnen die
Antwort nicht, so können Sie sich bei der Datenschutzbehörde Ihres Landes beschweren.

<h2 id="other-sites">Andere Seiten</h2>

Unsere Seiten führen zu anderen, darunter zu unseren Schwesterpublikationen, zu Veranstaltern und zu Firmen,
die werben. Was die mit Ihren Daten tun, entscheiden sie selbst; lesen Sie ihre Erklärungen wie diese.

<h2 id="changes">Änderungen, und wie Sie uns erreichen</h2>

Wir ändern diese Erklärung, wenn sich ändert, was wir tun, sagen es hier und setzen das Datum darüber. Fragen
gehen an ${mail}${helpline === null ? '' : `, telefonisch an ${helpline}`} oder an
[jedes unserer Büros](/contact-us).
`;
