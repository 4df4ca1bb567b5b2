import type { PageTexts } from './PageTexts.ts';

export const es: PageTexts = {
  notFound: {
    title: 'Enlace no encontrado',
    text: 'No hay ningún enlace en esta dirección. Comprueba que esté completa y bien escrita.',
  },
  flagged: {
    title: 'Este enlace está bloqueado',
    text: 'Lleva a un sitio que podría perjudicarte o robar tus datos. Por tu seguridad, no se abre.',
  },
  expired: {
    title: 'Este enlace ha caducado',
    text: 'Ya no se utiliza. Pide uno nuevo a quien te lo envió.',
  },
  unavailable: {
    title: 'Un momento, por favor',
    text: 'Ahora mismo no se puede abrir este enlace. Vuelve a intentarlo en unos segundos.',
  },
  password: {
    title: 'Se necesita una contraseña',
    text: 'Este enlace está protegido. Introduce su contraseña para continuar.',
    label: 'Contraseña',
    submit: 'Continuar',
    wrong: 'La contraseña no es correcta. Vuelve a intentarlo.',
  },
  throttled: {
    title: 'Demasiados intentos',
    text: (minutes) =>
      `Se ha introducido una contraseña incorrecta demasiadas veces. Vuelve a intentarlo dentro de ${minutes === 1 ? 'un minuto' : `${minutes} minutos`}.`,
  },
  preview: {
    title: 'Adónde lleva este enlace',
    shortUrl: 'Enlace corto',
    leadsTo: 'Lleva a',
    leadsToOneOf: 'Lleva a una de estas direcciones',
    mayVary: 'Según tu dispositivo, idioma, ubicación o el momento, puede llevar a otro sitio.',
  },
  protectedPreview: {
    title: 'Este enlace está protegido',
    text: 'Solo quienes conocen su contraseña pueden ver adónde lleva.',
  },
  openApp: {
    title: 'Abrir en la aplicación',
    open: 'Abrir en la aplicación',
    getFromAppStore: 'Descargar en el App Store',
    getFromGooglePlay: 'Descargar en Google Play',
    continueInBrowser: 'Continuar en el navegador',
    inAppHint:
      'Los enlaces a aplicaciones no se abren dentro de esta aplicación. Abre el menú y elige abrir la página en el navegador.',
  },
  home: {
    title: 'Enlaces cortos y enlaces profundos',
    text: 'Este servidor gestiona enlaces para quienes lo operan. Es autoalojado: los enlaces, los clics y las cifras se quedan aquí.',
    features: {
      links: 'Enlaces cortos y enlaces profundos que llevan a cada visitante a la página adecuada o a la aplicación',
      attribution: 'Atribución: qué enlace llevó a una instalación o a una compra',
      api: 'Una API REST para todo, con una descripción legible por máquinas',
      webhooks: 'Webhooks firmados para lo que ocurre con los enlaces y en las aplicaciones',
    },
    signIn: 'Iniciar sesión',
    signUp: 'Crear una cuenta',
    noDashboard: 'Se inicia sesión en el panel, que no está instalado en este servidor.',
    reference: 'Descripción de la API REST',
  },
};
