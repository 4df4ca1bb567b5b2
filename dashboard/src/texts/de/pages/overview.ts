import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['overview'] = {
  title: 'Übersicht',
  steps: {
    title: 'Erste Schritte',
    done: (done, all) => `${done} von ${all} erledigt`,
    allDone: 'Alles erledigt',
    dismiss: 'Ausblenden',
    isDone: 'Erledigt',
    isOpen: 'Offen',
    next: (step) => `Weiter: ${step}`,
    create: {
      title: 'Kurzlink erstellen',
      about: 'Fügen Sie eine URL ein, um sie zu kürzen.',
      label: 'URL zum Kürzen',
      action: 'Kürzen',
    },
    open: {
      title: 'Kurzlink öffnen',
      noLink: 'Erstellen Sie zuerst einen Kurzlink.',
      about:
        'Scannen Sie den QR-Code mit Ihrem Smartphone oder öffnen Sie den Link hier. Der Klick erscheint innerhalb von zwei Sekunden darunter.',
      aboutHere:
        'Öffnen Sie den Link hier. Der Klick erscheint innerhalb von zwei Sekunden darunter. Ihr Smartphone kann localhost nicht erreichen: Um den QR-Code auszuprobieren, setzen Sie BASE_URL auf eine Adresse, die Ihr Smartphone erreicht.',
      action: 'Link öffnen',
      waiting: 'Warten auf den ersten Klick …',
      seen: 'Der erste Klick ist angekommen.',
      arrived: (kind) => `Klick empfangen: ${kind}.`,
      person: 'Ein Browser hat den Link geöffnet, und nichts deutet auf einen Bot hin.',
      notCounted: 'Solche Klicks bleiben erhalten, zählen aber nicht als Menschen.',
    },
    webhook: {
      title: 'Webhook hinzufügen',
      about: 'Ein Webhook sendet jeden Klick und jede Änderung als signierte Anfrage an Ihren Server.',
      noServer: (address) =>
        `Noch kein Server? Führen Sie dies in einem Terminal aus und verwenden Sie dann ${address}:`,
      language: 'Sprache',
      receiver: 'Empfänger-Code',
      url: 'Endpunkt-URL',
      action: 'Webhook hinzufügen',
      created: 'Webhook hinzugefügt. Senden Sie ein Testereignis, um Anfrage und Antwort zu sehen.',
      exists: 'Sie haben einen Webhook:',
      hide: 'Schlüssel ausblenden',
      privateRefused:
        'Diese Instanz sendet nicht an private Adressen wie localhost. Ihr Betreiber kann es mit ALLOW_PRIVATE_TARGETS=true erlauben.',
    },
    api: {
      title: 'API aufrufen',
      about: 'Erstellen Sie einen API-Schlüssel und damit einen Link aus Ihrem Terminal.',
      action: 'API-Schlüssel erstellen',
      keyName: 'Erste Schritte',
      key: 'API-Schlüssel',
      fileName: 'svc-key.txt',
      command: 'curl-Befehl',
      stored: 'Schlüssel ausblenden',
      waiting: 'Warten auf die erste Anfrage mit einem Geheimschlüssel …',
      used: 'Die erste API-Anfrage ist angekommen.',
    },
    own: {
      title: 'Eigene Domain oder App verwenden',
      about:
        'Kurzlinks können auf Ihrer eigenen Domain liegen oder Ihre App öffnen. Richten Sie eine Domain mit dem Schlüssel aus dem vorigen Schritt ein:',
      domain: 'Befehl für die Domain',
      reference: 'API-Referenz (OpenAPI)',
    },
    import: 'Vorhandene Links importieren',
  },
  figures: {
    clicks: 'Klicks',
    visitors: 'Besucher',
    days: 'Letzte 7 Tage',
    before: (change, dates) => `${change} gegenüber ${dates}`,
    noBefore: (dates) => `0 im Zeitraum ${dates}`,
  },
  top: { title: 'Top-Links, letzte 7 Tage', empty: 'Keine Klicks in den letzten 7 Tagen.' },
  newest: { title: 'Neueste Links', empty: 'Noch keine Links.' },
  attention: {
    title: 'Aufmerksamkeit nötig',
    none: 'Alles in Ordnung.',
    alerts: (count, number) => (number === 1 ? '1 offener Alarm' : `${count} offene Alarme`),
    off: (url) => `Webhook ist deaktiviert: ${url}`,
    held: (url) => `Zustellungen sind angehalten, weil Anfragen an den Empfänger fehlschlagen: ${url}`,
    health: 'Zustandsprüfungen in diesem Projekt schlagen fehl',
  },
};
