import type { FrameTexts } from '../Texts.ts';

/** They agree with: lien, livraison, webhook, import, contrôle. */
export const states: FrameTexts['states'] = {
  link: {
    active: 'Actif',
    scheduled: 'Programmé',
    expired: 'Expiré',
    archived: 'Archivé',
    flagged: 'Bloqué',
  },
  delivery: {
    pending: 'En attente',
    succeeded: 'Livrée',
    failed: 'Échec',
    cancelled: 'Annulée',
  },
  webhook: {
    on: 'Activé',
    held: 'Suspendu',
    off: 'Désactivé',
  },
  import: {
    pending: 'En attente',
    running: 'En cours',
    finished: 'Terminé',
    failed: 'Échec',
    cancelled: 'Annulé',
  },
  health: {
    passing: 'Réussi',
    failing: 'En échec',
    unknown: 'Pas encore connu',
  },
  check: {
    pass: 'OK',
    warn: 'Avertissement',
    fail: 'En échec',
    skip: 'Non vérifié',
  },
  domain: {
    pending: 'En attente des enregistrements',
    verified: 'Vérifié',
    failing: 'En échec',
  },
  severity: {
    critical: 'Critique',
    warning: 'Avertissement',
    info: 'Information',
  },
  alert: {
    open: 'Ouverte',
    acknowledged: 'Prise en compte',
    resolved: 'Résolue',
  },
  match: {
    certain: 'Certaine',
    likely: 'Probable',
    none: 'Aucune',
  },
  platforms: { ios: 'iOS', android: 'Android', windows: 'Windows', macos: 'macOS', linux: 'Linux', other: 'Autre' },
  devices: { mobile: 'Téléphone', tablet: 'Tablette', desktop: 'Ordinateur' },
  roles: {
    owner: 'propriétaire',
    admin: 'administrateur',
    member: 'membre',
    viewer: 'lecteur',
  },
};
