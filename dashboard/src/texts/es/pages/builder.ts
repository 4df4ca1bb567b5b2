import { plural } from '../../plural.ts';
import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['builder'] = {
  newTitle: 'Nuevo enlace',
  editTitle: (url) => `Editar ${url}`,
  create: 'Crear enlace',
  save: 'Guardar cambios',
  keys: 'Presiona Ctrl o ⌘ + Enter para guardar.',
  destination: 'Destino',
  destinationHint: 'La página web o el enlace de app al que se envía a los visitantes.',
  moveUtm: 'Pasar los UTM a los campos de campaña',
  duplicates: (count) =>
    plural(count, {
      one: 'Ya tienes un enlace a este destino:',
      other: 'Ya tienes enlaces a este destino:',
    }),
  domain: 'Dominio',
  slug: 'Slug',
  slugHint: 'La parte que sigue al dominio. Déjala vacía y generaremos una corta.',
  slugTaken: 'Este slug ya está en uso en este dominio.',
  movedWarning:
    'Si cambias el dominio o el slug, los códigos QR impresos y las copias compartidas del enlace anterior dejarán de funcionar.',
  preview: {
    title: 'Vista previa',
    open: 'Vista previa',
    anySlug: 'se genera solo',
  },
  problems: (count) =>
    plural(count, {
      one: 'Corrige 1 problema para guardar el enlace.',
      other: `Corrige ${count} problemas para guardar el enlace.`,
    }),
  saved: 'Guardado. Los visitantes reciben la nueva versión en unos segundos.',
};
