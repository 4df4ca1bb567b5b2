import { plural } from '../../plural.ts';
import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['overview'] = {
  title: 'Resumen',
  steps: {
    title: 'Primeros pasos',
    done: (done, all) => `${done} de ${all} completados`,
    allDone: 'Todo completado',
    dismiss: 'Ocultar',
    isDone: 'Completado',
    isOpen: 'Por hacer',
    next: (step) => `Siguiente: ${step}`,
    create: {
      title: 'Crea un enlace corto',
      about: 'Pega una URL para acortarla.',
      label: 'URL para acortar',
      action: 'Acortar',
    },
    open: {
      title: 'Ábrelo',
      noLink: 'Primero crea un enlace corto.',
      about:
        'Escanea el código QR con tu teléfono o abre el enlace aquí. El clic aparece abajo en menos de dos segundos.',
      aboutHere:
        'Abre el enlace aquí. El clic aparece abajo en menos de dos segundos. Tu teléfono no puede llegar a localhost: para probar el código QR, pon en BASE_URL una dirección a la que llegue.',
      action: 'Abrir enlace',
      waiting: 'Esperando el primer clic…',
      seen: 'Ha llegado el primer clic.',
      arrived: (kind) => `Clic recibido: ${kind}.`,
      person: 'Lo abrió un navegador, y nada indica que sea un bot.',
      notCounted: 'Estos clics se guardan, pero no se cuentan como personas.',
    },
    webhook: {
      title: 'Añade un webhook',
      about: 'Un webhook envía cada clic y cada cambio a tu servidor en una solicitud firmada.',
      noServer: (address) => `¿Aún no tienes servidor? Ejecuta esto en una terminal y usa ${address}:`,
      language: 'Lenguaje',
      receiver: 'el receptor',
      url: 'URL del endpoint',
      action: 'Añadir webhook',
      created: 'Webhook añadido. Envía un evento de prueba para ver la solicitud y la respuesta.',
      exists: 'Ya tienes un webhook:',
      hide: 'Ocultar el secreto',
      privateRefused:
        'Esta instancia no envía a direcciones privadas como localhost. Su operador puede permitirlo con ALLOW_PRIVATE_TARGETS=true.',
    },
    api: {
      title: 'Llama a la API',
      about: 'Crea una clave de API y úsala para crear un enlace desde tu terminal.',
      action: 'Crear clave de API',
      keyName: 'Primeros pasos',
      key: 'la clave de API',
      fileName: 'svc-key.txt',
      command: 'el comando curl',
      stored: 'Ocultar la clave',
      waiting: 'Esperando la primera solicitud con una clave secreta…',
      used: 'Ha llegado la primera solicitud a la API.',
    },
    own: {
      title: 'Usa tu propio dominio o app',
      about:
        'Usa enlaces cortos con tu propio dominio, o haz que abran tu app. Configura un dominio con la clave del paso anterior:',
      domain: 'el comando para añadir un dominio',
      reference: 'Referencia de la API (OpenAPI)',
    },
    import: 'Importar enlaces existentes',
  },
  figures: {
    clicks: 'Clics',
    visitors: 'Visitantes',
    days: 'Últimos 7 días',
    before: (change, dates) => `${change} vs. ${dates}`,
    noBefore: (dates) => `Antes: 0 (${dates})`,
  },
  top: { title: 'Enlaces con más clics, últimos 7 días', empty: 'Sin clics en los últimos 7 días.' },
  newest: { title: 'Enlaces más recientes', empty: 'Aún no hay enlaces.' },
  attention: {
    title: 'Requiere atención',
    none: 'Todo está en orden.',
    alerts: (count, number) => `${count} ${plural(number, { one: 'alerta abierta', other: 'alertas abiertas' })}`,
    off: (url) => `Webhook desactivado: ${url}`,
    held: (url) => `Entregas en espera porque el receptor falla: ${url}`,
    health: 'Hay comprobaciones de estado con fallos en este proyecto',
  },
};
