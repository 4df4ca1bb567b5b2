import { plural } from '../../plural.ts';
import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['account'] = {
  title: 'Konto',
  tabsLabel: 'Bereiche Ihres Kontos',
  tabs: { 'sign-in': 'Anmeldung', sessions: 'Sitzungen', delete: 'Konto löschen' },
  email: {
    title: 'E-Mail',
    change: 'E-Mail-Adresse ändern',
    about: 'Damit melden Sie sich an, und dorthin gehen Nachrichten über Ihr Konto und Ihre Teams.',
    mailed:
      'Wir senden einen Link an die neue Adresse. Ihre E-Mail-Adresse ändert sich, sobald Sie diesen Link öffnen.',
    atOnce: 'Diese Instanz versendet keine E-Mails, daher gilt die Änderung sofort. Achten Sie auf Tippfehler.',
    new: 'Neue E-Mail-Adresse',
    sent: (email) => `Ein Link an ${email} ist unterwegs.`,
    changed: (email) => `Ihre E-Mail-Adresse ist jetzt ${email}.`,
    pending: (email) =>
      `Warten auf ${email}: Öffnen Sie den Link in der E-Mail, die wir dorthin gesendet haben, um die Änderung abzuschließen.`,
    cancel: 'Änderung abbrechen',
    cancelled: 'Die Änderung ist abgebrochen. Ihre E-Mail-Adresse bleibt, wie sie ist.',
  },
  password: {
    title: 'Passwort',
    about: 'Verwenden Sie ein Passwort, das Sie nirgendwo sonst verwenden.',
    change: 'Passwort ändern',
    current: 'Aktuelles Passwort',
    warning: 'Wenn Sie es ändern, werden Ihre anderen Sitzungen beendet. Diese bleibt.',
    changed: 'Ihr Passwort ist geändert, und Ihre anderen Sitzungen sind beendet.',
  },
  factor: {
    title: 'Zweiter Faktor',
    off: 'Aus',
    on: 'Ein',
    offAbout: 'Mit einer Authenticator-App reicht ein gestohlenes Passwort nicht, um sich bei Ihrem Konto anzumelden.',
    onAbout: 'Beim Anmelden wird ein Code aus Ihrer Authenticator-App verlangt.',
    turnOn: 'Einschalten',
    setUpTitle: 'Zweiten Faktor einschalten',
    first:
      'Bestätigen Sie zuerst, dass Sie es sind. Danach scannen Sie einen Code mit einer Authenticator-App auf Ihrem Smartphone.',
    next: 'Weiter',
    scan: 'Scannen Sie diesen Code mit Ihrer Authenticator-App, etwa Google Authenticator, 1Password oder Aegis.',
    qr: 'QR-Code des Schlüssels darunter',
    key: 'Oder geben Sie diesen Schlüssel ein',
    keyWhat: 'Schlüssel',
    check:
      'Geben Sie dann die sechs Ziffern ein, die die App zeigt. Ihre anderen Sitzungen enden, wenn Sie den zweiten Faktor einschalten.',
    turnedOn: 'Der zweite Faktor ist eingeschaltet',
    codesTitle: 'Ihre Wiederherstellungscodes',
    codesAbout:
      'Mit jedem Code können Sie sich einmal anmelden, wenn Sie Ihr Smartphone nicht haben. Bewahren Sie die Codes getrennt von Ihrem Passwort auf.',
    codesWhat: 'Wiederherstellungscodes',
    codesFile: 'svc-recovery-codes.txt',
    left: (count) =>
      plural(count, {
        one: `Noch ${count} Wiederherstellungscode übrig`,
        other: `Noch ${count} Wiederherstellungscodes übrig`,
      }),
    fewLeft:
      'Ohne Wiederherstellungscode können Sie sich nicht anmelden, wenn Sie Ihr Smartphone verlieren. Erzeugen Sie neue.',
    newCodes: 'Neue Wiederherstellungscodes',
    newCodesAbout: 'Sie erhalten zehn neue Codes. Alle früheren funktionieren dann nicht mehr.',
    makeCodes: 'Neue Codes erzeugen',
    turnOff: 'Ausschalten',
    turnOffTitle: 'Zweiten Faktor ausschalten?',
    turnOffAbout:
      'Zum Anmelden genügt dann Ihr Passwort. Ihre Wiederherstellungscodes funktionieren nicht mehr; um den zweiten Faktor wieder einzuschalten, richten Sie die App neu ein.',
    turnedOff: 'Der zweite Faktor ist ausgeschaltet',
  },
  sessions: {
    title: 'Wo Sie angemeldet sind',
    columns: {
      device: 'Gerät',
      since: 'Angemeldet',
      used: 'Zuletzt genutzt',
      ends: 'Endet',
      actions: 'Aktionen',
    },
    device: (browser, system) => `${browser} unter ${system}`,
    unknownDevice: 'Unbekanntes Gerät',
    current: 'Diese Sitzung',
    end: 'Sitzung beenden',
    endOf: (device) => `Sitzung beenden: ${device}`,
    ended: 'Sitzung beendet',
    endOthers: 'Alle anderen beenden',
    endOthersTitle: 'Alle anderen Sitzungen beenden?',
    endOthersBody: 'Alle anderen Browser werden sofort abgemeldet und müssen sich neu anmelden. Diese Sitzung bleibt.',
    othersEnded: 'Alle anderen Sitzungen sind beendet',
  },
  deletion: {
    title: 'Ihr Konto löschen',
    about: (days) =>
      `Sie werden sofort überall abgemeldet. ${days} lang können Sie sich anmelden und Ihr Konto wiederherstellen. Danach ist es endgültig gelöscht.`,
    teams: 'Was mit Ihren Teams geschieht',
    noTeams: 'Sie sind in keinem Team.',
    columns: {
      team: 'Team',
      role: 'Ihre Rolle',
      fate: 'Was geschieht',
      keys: 'Ihre Geheimschlüssel',
      webhooks: 'Ihre Webhooks',
    },
    leaves: 'Sie verlassen das Team. Seine Links bleiben, auch die von Ihnen erstellten.',
    goes: 'Sie sind das einzige Mitglied: Das Team wird mit Ihrem Konto gelöscht, samt seinen Projekten und Links.',
    blocks:
      'Sie sind der einzige Inhaber: Machen Sie jemand anderen zum Inhaber oder löschen Sie das Team, bevor Sie Ihr Konto löschen.',
    toTeam: 'Team öffnen',
    keysEnd: (count) => plural(count, { one: `${count} Schlüssel endet`, other: `${count} Schlüssel enden` }),
    noKeys: 'Keine',
    webhooksGoOn: (count) => plural(count, { one: `${count} sendet weiter`, other: `${count} senden weiter` }),
    webhooksEnd: (count) => plural(count, { one: `${count} endet mit dem Team`, other: `${count} enden mit dem Team` }),
    noWebhooks: 'Keine',
    action: 'Konto löschen',
    blocked: 'Geben Sie zuerst jedem Team, das einen braucht, einen weiteren Inhaber.',
    confirmTitle: 'Ihr Konto löschen?',
    confirmBody: ({ teams, keys, webhooks }, days) =>
      [
        'Sie werden überall abgemeldet.',
        teams > 0
          ? plural(teams, {
              one: 'Ein Team, dessen einziges Mitglied Sie sind, wird gelöscht, und seine Links funktionieren nicht mehr.',
              other: `${teams} Teams, deren einziges Mitglied Sie sind, werden gelöscht, und ihre Links funktionieren nicht mehr.`,
            })
          : 'Ihre Teams bestehen ohne Sie weiter, mit allen ihren Links.',
        keys > 0
          ? plural(keys, {
              one: 'Ein von Ihnen erstellter Geheimschlüssel endet.',
              other: `${keys} von Ihnen erstellte Geheimschlüssel enden.`,
            })
          : '',
        webhooks > 0
          ? plural(webhooks, {
              one: 'Ein von Ihnen eingerichteter Webhook sendet weiter Ereignisse.',
              other: `${webhooks} von Ihnen eingerichtete Webhooks senden weiter Ereignisse.`,
            })
          : '',
        `${days} lang können Sie Ihr Konto wiederherstellen.`,
      ]
        .filter(Boolean)
        .join(' '),
    deletedTeams: 'Gelöschte Teams',
    goneAt: 'Endgültige Löschung',
    restore: 'Wiederherstellen',
    restoreOf: (name) => `${name} wiederherstellen`,
    restored: (name) => `${name} ist wiederhergestellt`,
  },
  look: {
    title: 'Aussehen und Sprache',
    about: 'Gilt nur in diesem Browser. Änderungen wirken sofort.',
    appearance: 'Aussehen',
    density: 'Zeilen in Listen',
    densities: { comfortable: 'Normal', compact: 'Kompakt: mehr Zeilen auf dem Bildschirm' },
    language: 'Sprache',
    languageAbout: 'Die Seite lädt neu, wenn Sie eine andere wählen.',
    sameAsBrowser: 'Wie im Browser',
    region: 'Sprache und Zeitzone',
    zone: 'Zeitzone',
    zoneAbout: 'Für alle Zeiten und für die Tage in den Analysen.',
    useBrowserZone: (zone) => `Die des Browsers verwenden: ${zone}`,
    applied: 'In diesem Browser gespeichert',
  },
};
