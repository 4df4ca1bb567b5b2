import type { FrameTexts } from '../Texts.ts';

/** Each agrees with its thing: enlace and webhook are masculine, entrega and importación feminine. */
export const states: FrameTexts['states'] = {
  link: {
    active: 'Activo',
    scheduled: 'Programado',
    expired: 'Expirado',
    archived: 'Archivado',
    flagged: 'Bloqueado',
  },
  delivery: {
    pending: 'Pendiente',
    succeeded: 'Entregada',
    failed: 'Fallida',
    cancelled: 'Cancelada',
  },
  webhook: {
    on: 'Activado',
    held: 'En espera',
    off: 'Desactivado',
  },
  import: {
    pending: 'Pendiente',
    running: 'En curso',
    finished: 'Finalizada',
    failed: 'Fallida',
    cancelled: 'Cancelada',
  },
  health: {
    passing: 'Sin fallos',
    failing: 'Con fallos',
    unknown: 'Aún sin datos',
  },
  check: {
    pass: 'Correcto',
    warn: 'Advertencia',
    fail: 'Con fallos',
    skip: 'Sin comprobar',
  },
  domain: {
    pending: 'Esperando registros',
    verified: 'Verificado',
    failing: 'Con fallos',
  },
  severity: {
    critical: 'Crítica',
    warning: 'Advertencia',
    info: 'Información',
  },
  alert: {
    open: 'Abierta',
    acknowledged: 'Vista',
    resolved: 'Resuelta',
  },
  match: {
    certain: 'Segura',
    likely: 'Probable',
    none: 'Ninguna',
  },
  platforms: { ios: 'iOS', android: 'Android', windows: 'Windows', macos: 'macOS', linux: 'Linux', other: 'Otro' },
  devices: { mobile: 'Teléfono', tablet: 'Tableta', desktop: 'Escritorio' },
  roles: {
    owner: 'propietario',
    admin: 'administrador',
    member: 'miembro',
    viewer: 'lector',
  },
};
