import { plural } from '../../plural.ts';
import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['builder'] = {
  newTitle: 'Neuer Link',
  editTitle: (url) => `${url} bearbeiten`,
  create: 'Link erstellen',
  save: 'Änderungen speichern',
  keys: 'Speichern mit Strg oder ⌘ + Enter.',
  destination: 'Ziel-URL',
  destinationHint: 'Dorthin gelangen Besucher: eine Webseite oder ein App-Link.',
  moveUtm: 'UTM in Kampagnenfelder übernehmen',
  duplicates: (count) =>
    plural(count, {
      one: 'Sie haben schon einen Link zu diesem Ziel:',
      other: 'Sie haben schon Links zu diesem Ziel:',
    }),
  domain: 'Domain',
  slug: 'Slug',
  slugHint: 'Der Teil nach der Domain. Leer lassen, dann erzeugen wir einen kurzen Slug.',
  slugTaken: 'Dieser Slug ist auf dieser Domain schon vergeben.',
  movedWarning:
    'Wenn Sie Domain oder Slug ändern, funktionieren gedruckte QR-Codes und geteilte Kopien des alten Links nicht mehr.',
  preview: {
    title: 'Vorschau',
    open: 'Vorschau',
    anySlug: 'wird erzeugt',
  },
  problems: (count) =>
    plural(count, {
      one: 'Beheben Sie 1 Problem, um den Link zu speichern.',
      other: `Beheben Sie ${count} Probleme, um den Link zu speichern.`,
    }),
  saved: 'Gespeichert. Besucher erhalten die neue Version innerhalb von Sekunden.',
};
