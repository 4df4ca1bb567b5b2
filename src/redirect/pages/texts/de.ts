import type { PageTexts } from './PageTexts.ts';

export const de: PageTexts = {
  notFound: {
    title: 'Link nicht gefunden',
    text: 'Unter dieser Adresse gibt es keinen Link. Prüfen Sie, ob sie vollständig und richtig geschrieben ist.',
  },
  flagged: {
    title: 'Dieser Link ist gesperrt',
    text: 'Er führt zu einer Seite, die Ihnen schaden oder Ihre Daten stehlen könnte. Zu Ihrer Sicherheit wird er nicht geöffnet.',
  },
  expired: {
    title: 'Dieser Link ist abgelaufen',
    text: 'Er wird nicht mehr verwendet. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
  },
  unavailable: {
    title: 'Einen Moment, bitte',
    text: 'Der Link lässt sich gerade nicht öffnen. Bitte versuchen Sie es in ein paar Sekunden noch einmal.',
  },
  password: {
    title: 'Passwort erforderlich',
    text: 'Dieser Link ist geschützt. Geben Sie das Passwort ein, um fortzufahren.',
    label: 'Passwort',
    submit: 'Weiter',
    wrong: 'Das Passwort ist falsch. Bitte versuchen Sie es noch einmal.',
  },
  throttled: {
    title: 'Zu viele Versuche',
    text: (minutes) =>
      `Das Passwort wurde zu oft falsch eingegeben. Bitte versuchen Sie es in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} noch einmal.`,
  },
  preview: {
    title: 'Wohin dieser Link führt',
    shortUrl: 'Kurzlink',
    leadsTo: 'Führt zu',
    leadsToOneOf: 'Führt zu einer dieser Adressen',
    mayVary: 'Je nach Gerät, Sprache, Standort oder Zeitpunkt kann er auch woandershin führen.',
  },
  protectedPreview: {
    title: 'Dieser Link ist geschützt',
    text: 'Wohin er führt, sehen nur diejenigen, die das Passwort kennen.',
  },
  openApp: {
    title: 'In der App öffnen',
    open: 'In der App öffnen',
    getFromAppStore: 'App im App Store laden',
    getFromGooglePlay: 'App bei Google Play laden',
    continueInBrowser: 'Im Browser fortfahren',
    inAppHint:
      'Links zu Apps lassen sich innerhalb dieser App nicht öffnen. Tippen Sie auf das Menü und wählen Sie, die Seite im Browser zu öffnen.',
  },
  home: {
    title: 'Kurzlinks und Deep Links',
    text: 'Dieser Server verwaltet Links für die, die ihn betreiben. Links, Klicks und Zahlen bleiben auf ihm.',
    features: {
      links: 'Kurzlinks und Deep Links, die alle auf die richtige Seite oder in die App führen',
      attribution: 'Attribution: welcher Link zu einer Installation oder einem Kauf geführt hat',
      api: 'Eine REST-API für alles, mit maschinenlesbarer Beschreibung',
      webhooks: 'Signierte Webhooks für alles, was mit Links und in Apps geschieht',
    },
    signIn: 'Anmelden',
    signUp: 'Konto erstellen',
    noDashboard: 'Man meldet sich im Dashboard an, das auf diesem Server nicht installiert ist.',
    reference: 'Beschreibung der REST-API',
  },
};
