import type { FrameTexts } from '../Texts.ts';

export const states: FrameTexts['states'] = {
  link: {
    active: 'Aktiv',
    scheduled: 'Geplant',
    expired: 'Abgelaufen',
    archived: 'Archiviert',
    flagged: 'Gesperrt',
  },
  delivery: {
    pending: 'Wartet',
    succeeded: 'Zugestellt',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  webhook: {
    on: 'Aktiv',
    held: 'Angehalten',
    off: 'Deaktiviert',
  },
  import: {
    pending: 'Wartet',
    running: 'Läuft',
    finished: 'Abgeschlossen',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  health: {
    passing: 'In Ordnung',
    failing: 'Gestört',
    unknown: 'Noch unbekannt',
  },
  check: {
    pass: 'In Ordnung',
    warn: 'Warnung',
    fail: 'Fehlerhaft',
    skip: 'Nicht geprüft',
  },
  domain: {
    pending: 'Wartet auf Einträge',
    verified: 'Verifiziert',
    failing: 'Fehlerhaft',
  },
  severity: {
    critical: 'Kritisch',
    warning: 'Warnung',
    info: 'Hinweis',
  },
  alert: {
    open: 'Offen',
    acknowledged: 'Bestätigt',
    resolved: 'Erledigt',
  },
  match: {
    certain: 'Sicher',
    likely: 'Wahrscheinlich',
    none: 'Keine',
  },
  platforms: { ios: 'iOS', android: 'Android', windows: 'Windows', macos: 'macOS', linux: 'Linux', other: 'Anderes' },
  devices: { mobile: 'Smartphone', tablet: 'Tablet', desktop: 'Computer' },
  roles: {
    owner: 'Inhaber',
    admin: 'Admin',
    member: 'Mitglied',
    viewer: 'Betrachter',
  },
};
