import { plural } from '../../plural.ts';
import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['domains'] = {
  title: 'Domaines',
  about: 'Placez des liens courts sur votre propre domaine, ou laissez vos pages web ouvrir votre application.',
  new: 'Ajouter un domaine',
  empty: 'Sur votre propre domaine, les liens courts sont plus faciles à reconnaître et restent à vous.',
  emptyBody: (host: string) => `En attendant, vos liens sont sur ${host}.`,
  columns: { domain: 'Domaine', kind: 'Usage', state: 'Statut', checked: 'Dernière vérification' },
  kinds: { link: 'Liens courts', web: 'Pages ouvrant des applications' },
  isDefault: 'Par défaut pour les nouveaux liens',
  notChecked: 'Pas encore vérifié',
  form: {
    hostname: 'Domaine',
    hostnameHint:
      'Par exemple go.example.com. Utilisez un sous-domaine, sauf si tout le domaine est réservé aux liens courts.',
    placeholder: 'go.example.com',
    ascii: (name: string) => `Nom DNS : ${name}`,
    apex: 'Un domaine sans sous-domaine ne peut pas avoir d’enregistrement CNAME. Il vous faudra l’enregistrement ALIAS ou ANAME de votre fournisseur DNS, ou des enregistrements A.',
    kind: 'À quoi sert-il ?',
    kindAbouts: {
      link: 'Les liens courts fonctionnent dessus. Vous définissez deux enregistrements DNS.',
      web: 'Votre site web s’y trouve, et ses pages ouvrent votre application. Vous prouvez qu’il vous appartient.',
    },
    action: 'Ajouter le domaine',
  },
  records: {
    title: 'Enregistrements DNS',
    file: 'Preuve de propriété',
    about:
      'Définissez-les chez le fournisseur DNS du domaine. Les modifications sont généralement visibles en moins de dix minutes ; tant qu’elle est ouverte, cette page vérifie toutes les 15 secondes.',
    aboutWeb: 'Définissez l’enregistrement TXT ou servez le fichier : l’un des deux suffit.',
    label: 'Enregistrements à définir',
    columns: { record: 'Type', name: 'Nom', value: 'Valeur', found: 'Trouvé', state: 'État' },
    host: (name: string) => `ou seulement ${name}`,
    whatName: 'le nom',
    whatHost: 'le nom sans le domaine',
    whatValue: 'la valeur',
    nothing: 'Rien',
    unknown: 'Pas encore recherché',
    isSet: 'Défini',
    isNotSet: 'Pas encore défini',
    isWrong: 'Différent',
    howTo: 'Que saisir, et où',
    check: 'Vérifier maintenant',
    checked: 'Vérifié. Les enregistrements ne sont pas encore tous définis.',
    download: 'Télécharger le fichier',
    fileName: (url: string) => `Servez-le à l’adresse ${url}`,
    stopped:
      'Cette page a cessé de vérifier. Appuyez sur « Vérifier maintenant » lorsque les enregistrements sont définis.',
  },
  verified: {
    title: (host: string) => `${host} est vérifié`,
    body: 'Les liens peuvent désormais l’utiliser.',
    bodyWeb: 'Ses pages peuvent ouvrir votre application.',
    makeDefault: 'Utiliser par défaut',
    madeDefault: (host: string) => `Les nouveaux liens sont désormais sur ${host}`,
  },
  destinations: {
    title: 'Où vont les visiteurs sans lien',
    about: 'Laissez un champ vide pour afficher une simple page à la place.',
    root: 'Le domaine lui-même',
    rootHint: 'Pour les visiteurs qui ouvrent le domaine sans slug.',
    notFound: 'Liens inconnus',
    notFoundHint: 'Pour les visiteurs dont le slug n’existe pas. Ils sont comptés dans « Liens inconnus ».',
    expired: 'Liens expirés',
    expiredHint: 'Pour les visiteurs de liens arrivés à leur terme sans destination prévue pour ce cas.',
    save: 'Enregistrer les destinations',
    saved: 'Enregistré. Les visiteurs y sont envoyés en moins d’une seconde.',
  },
  remove: {
    title: 'Supprimer ce domaine',
    links: (count: string, number: number) =>
      `${count} ${plural(number, {
        one: 'lien utilise',
        many: 'de liens utilisent',
        other: 'liens utilisent',
      })} ce domaine, liens archivés compris. Il faut d’abord tout déplacer ou supprimer.`,
    show: 'Afficher les liens',
    none: 'Aucun lien ne l’utilise.',
    action: 'Supprimer le domaine',
    confirmTitle: (host: string) => `Supprimer ${host} ?`,
    confirmBody:
      'Les visiteurs du domaine ne sont plus servis, et quelqu’un d’autre peut l’ajouter. S’il est le domaine par défaut, les nouveaux liens reviennent sur celui de cette instance.',
    confirmBodyWeb: 'Ses pages n’ouvrent plus votre application par cette instance.',
    done: 'Domaine supprimé',
  },
};
