import { plural } from '../../plural.ts';
import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['builder'] = {
  newTitle: 'Nouveau lien',
  editTitle: (url: string) => `Modifier ${url}`,
  create: 'Créer le lien',
  save: 'Enregistrer',
  keys: 'Appuyez sur Ctrl ou ⌘ + Entrée pour enregistrer.',
  destination: 'Destination',
  destinationHint: 'La page web ou le lien d’application vers lequel les visiteurs sont redirigés.',
  moveUtm: 'Déplacer les UTM vers la campagne',
  duplicates: (count: number) =>
    plural(count, {
      one: 'Vous avez déjà un lien vers cette destination :',
      other: 'Vous avez déjà des liens vers cette destination :',
    }),
  domain: 'Domaine',
  slug: 'Slug',
  slugHint: 'La partie après le domaine. Laissez vide pour qu’un slug court soit généré.',
  slugTaken: 'Ce slug est déjà pris sur ce domaine.',
  movedWarning:
    'Si vous changez le domaine ou le slug, les codes QR imprimés et les copies partagées de l’ancien lien ne fonctionneront plus.',
  preview: {
    title: 'Aperçu',
    open: 'Aperçu',
    anySlug: 'généré pour vous',
  },
  problems: (count: number) =>
    plural(count, {
      one: 'Corrigez 1 problème pour enregistrer le lien.',
      other: `Corrigez ${count} problèmes pour enregistrer le lien.`,
    }),
  saved: 'Enregistré. Les visiteurs reçoivent la nouvelle version en quelques secondes.',
};
