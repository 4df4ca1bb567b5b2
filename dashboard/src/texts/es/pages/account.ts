import { plural } from '../../plural.ts';
import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['account'] = {
  title: 'Cuenta',
  tabsLabel: 'Secciones de tu cuenta',
  tabs: { 'sign-in': 'Acceso', sessions: 'Sesiones', delete: 'Eliminar cuenta' },
  email: {
    title: 'Correo electrónico',
    change: 'Cambiar correo',
    about: 'Con él inicias sesión, y en él recibes los mensajes sobre tu cuenta y tus equipos.',
    mailed: 'Enviamos un enlace a la nueva dirección. Tu correo cambia cuando abres ese enlace.',
    atOnce:
      'Esta instancia no envía correos, así que el cambio se aplica de inmediato. Comprueba que esté bien escrito.',
    new: 'Nuevo correo electrónico',
    sent: (email) => `Hay un enlace en camino a ${email}.`,
    changed: (email) => `Tu correo ahora es ${email}.`,
    pending: (email) =>
      `Esperando a ${email}: para terminar el cambio, abre el enlace del correo que enviamos a esa dirección.`,
    cancel: 'Cancelar el cambio',
    cancelled: 'Cambio cancelado. Tu correo sigue siendo el mismo.',
  },
  password: {
    title: 'Contraseña',
    about: 'Usa una contraseña que no uses en ningún otro sitio.',
    change: 'Cambiar contraseña',
    current: 'Contraseña actual',
    warning: 'Al cambiarla se cierran tus demás sesiones. Esta sigue abierta.',
    changed: 'Tu contraseña ha cambiado y tus demás sesiones se han cerrado.',
  },
  factor: {
    title: 'Segundo factor',
    off: 'Desactivado',
    on: 'Activado',
    offAbout: 'Con una app de autenticación, robar la contraseña no basta para entrar en tu cuenta.',
    onAbout: 'Al iniciar sesión se pide un código de tu app de autenticación.',
    turnOn: 'Activar',
    setUpTitle: 'Activar el segundo factor',
    first: 'Primero confirma tu identidad. Después escanearás un código con una app de autenticación en tu teléfono.',
    next: 'Continuar',
    scan: 'Escanea este código con tu app de autenticación, como Google Authenticator, 1Password o Aegis.',
    qr: 'Código QR de la clave de abajo',
    key: 'O escribe esta clave',
    keyWhat: 'la clave',
    check:
      'Después escribe los seis dígitos que muestra la app. Al activar el segundo factor se cierran tus demás sesiones.',
    turnedOn: 'El segundo factor está activado',
    codesTitle: 'Tus códigos de recuperación',
    codesAbout:
      'Cada código permite iniciar sesión una vez cuando no tienes tu teléfono. Guárdalos en un lugar distinto de tu contraseña.',
    codesWhat: 'los códigos de recuperación',
    codesFile: 'svc-recovery-codes.txt',
    left: (count) =>
      plural(count, {
        one: `Queda ${count} código de recuperación`,
        other: `Quedan ${count} códigos de recuperación`,
      }),
    fewLeft: 'Sin códigos de recuperación no podrás iniciar sesión si pierdes tu teléfono. Crea otros nuevos.',
    newCodes: 'Nuevos códigos de recuperación',
    newCodesAbout: 'Recibes diez códigos nuevos. Todos los anteriores dejan de funcionar.',
    makeCodes: 'Crear códigos nuevos',
    turnOff: 'Desactivar',
    turnOffTitle: '¿Desactivar el segundo factor?',
    turnOffAbout:
      'Para iniciar sesión bastará tu contraseña. Tus códigos de recuperación dejan de funcionar; para volver a activar el segundo factor, tendrás que configurar la app de nuevo.',
    turnedOff: 'El segundo factor está desactivado',
  },
  sessions: {
    title: 'Dónde tienes la sesión iniciada',
    columns: { device: 'Dispositivo', since: 'Inicio', used: 'Último uso', ends: 'Expira', actions: 'Acciones' },
    device: (browser, system) => `${browser} en ${system}`,
    unknownDevice: 'Dispositivo desconocido',
    current: 'Esta sesión',
    end: 'Cerrar sesión',
    endOf: (device) => `Cerrar la sesión: ${device}`,
    ended: 'Sesión cerrada',
    endOthers: 'Cerrar las demás',
    endOthersTitle: '¿Cerrar todas las demás sesiones?',
    endOthersBody:
      'Se cierra la sesión de inmediato en todos los demás navegadores, y habrá que volver a iniciarla. Esta sesión sigue abierta.',
    othersEnded: 'Se han cerrado todas las demás sesiones',
  },
  deletion: {
    title: 'Eliminar tu cuenta',
    about: (days) =>
      `Tus sesiones se cierran de inmediato en todas partes. Durante ${days} puedes iniciar sesión y restaurar tu cuenta. Después se elimina definitivamente.`,
    teams: 'Qué pasa con tus equipos',
    noTeams: 'No estás en ningún equipo.',
    columns: {
      team: 'Equipo',
      role: 'Tu rol',
      fate: 'Qué pasa',
      keys: 'Tus claves secretas',
      webhooks: 'Tus webhooks',
    },
    leaves: 'Sales del equipo. Sus enlaces se quedan, también los que creaste.',
    goes: 'No tiene más miembros: el equipo se elimina con tu cuenta, junto con sus proyectos y enlaces.',
    blocks:
      'No tiene más propietarios: antes de eliminar tu cuenta, haz propietario a otro miembro o elimina el equipo.',
    toTeam: 'Abrir el equipo',
    keysEnd: (count) => plural(count, { one: `${count} dejará de funcionar`, other: `${count} dejarán de funcionar` }),
    noKeys: 'Ninguna',
    webhooksGoOn: (count) => plural(count, { one: `${count} seguirá enviando`, other: `${count} seguirán enviando` }),
    webhooksEnd: (count) =>
      plural(count, { one: `${count} se elimina con el equipo`, other: `${count} se eliminan con el equipo` }),
    noWebhooks: 'Ninguno',
    action: 'Eliminar cuenta',
    blocked: 'Primero da otro propietario a cada equipo que lo necesite.',
    confirmTitle: '¿Eliminar tu cuenta?',
    confirmBody: ({ teams, keys, webhooks }, days) =>
      [
        'Tus sesiones se cierran en todas partes.',
        teams > 0
          ? plural(teams, {
              one: 'Se elimina un equipo que no tiene más miembros, y sus enlaces dejan de funcionar.',
              other: `Se eliminan ${teams} equipos que no tienen más miembros, y sus enlaces dejan de funcionar.`,
            })
          : 'Tus equipos siguen sin ti, con todos sus enlaces.',
        keys > 0
          ? plural(keys, {
              one: 'Una clave secreta que creaste deja de funcionar.',
              other: `${keys} claves secretas que creaste dejan de funcionar.`,
            })
          : '',
        webhooks > 0
          ? plural(webhooks, {
              one: 'Un webhook que configuraste sigue enviando eventos.',
              other: `${webhooks} webhooks que configuraste siguen enviando eventos.`,
            })
          : '',
        `Puedes restaurar tu cuenta durante ${days}.`,
      ]
        .filter(Boolean)
        .join(' '),
    deletedTeams: 'Equipos eliminados',
    goneAt: 'Eliminación definitiva',
    restore: 'Restaurar',
    restoreOf: (name) => `Restaurar ${name}`,
    restored: (name) => `Se restauró ${name}`,
  },
  look: {
    title: 'Aspecto e idioma',
    about: 'Solo se guarda en este navegador. Los cambios se aplican de inmediato.',
    appearance: 'Aspecto',
    density: 'Filas de las listas',
    densities: { comfortable: 'Amplias', compact: 'Compactas: más filas en la pantalla' },
    language: 'Idioma',
    languageAbout: 'Al elegir otro, la página se vuelve a cargar.',
    sameAsBrowser: 'Igual que el navegador',
    region: 'Idioma y zona horaria',
    zone: 'Zona horaria',
    zoneAbout: 'De todas las horas y de los días de las estadísticas.',
    useBrowserZone: (zone) => `Usar la del navegador: ${zone}`,
    applied: 'Guardado en este navegador',
  },
};
