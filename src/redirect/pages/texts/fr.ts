import type { PageTexts } from './PageTexts.ts';

export const fr: PageTexts = {
  notFound: {
    title: 'Lien introuvable',
    text: 'Aucun lien n’existe à cette adresse. Vérifiez qu’elle est complète et bien orthographiée.',
  },
  flagged: {
    title: 'Ce lien est bloqué',
    text: 'Il mène à un site qui pourrait vous nuire ou voler vos données. Pour votre sécurité, il ne s’ouvre pas.',
  },
  expired: {
    title: 'Ce lien a expiré',
    text: 'Il n’est plus utilisé. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
  },
  unavailable: {
    title: 'Un instant, s’il vous plaît',
    text: 'Ce lien ne peut pas être ouvert pour le moment. Réessayez dans quelques secondes.',
  },
  password: {
    title: 'Mot de passe requis',
    text: 'Ce lien est protégé. Saisissez son mot de passe pour continuer.',
    label: 'Mot de passe',
    submit: 'Continuer',
    wrong: 'Ce mot de passe est incorrect. Veuillez réessayer.',
  },
  throttled: {
    title: 'Trop de tentatives',
    text: (minutes) =>
      `Un mot de passe incorrect a été saisi trop souvent. Réessayez dans ${minutes === 1 ? 'une minute' : `${minutes} minutes`}.`,
  },
  preview: {
    title: 'Où mène ce lien',
    shortUrl: 'Lien court',
    leadsTo: 'Mène à',
    leadsToOneOf: 'Mène à l’une de ces adresses',
    mayVary: 'Selon votre appareil, votre langue, votre position ou le moment, il peut mener ailleurs.',
  },
  protectedPreview: {
    title: 'Ce lien est protégé',
    text: 'Seules les personnes qui connaissent son mot de passe peuvent voir où il mène.',
  },
  openApp: {
    title: 'Ouvrir dans l’application',
    open: 'Ouvrir dans l’application',
    getFromAppStore: 'Télécharger dans l’App Store',
    getFromGooglePlay: 'Télécharger sur Google Play',
    continueInBrowser: 'Continuer dans le navigateur',
    inAppHint:
      'Les liens vers des applications ne s’ouvrent pas depuis cette application. Ouvrez le menu, puis choisissez d’ouvrir la page dans le navigateur.',
  },
  home: {
    title: 'Liens courts et liens profonds',
    text: 'Ce serveur gère des liens pour ceux qui l’exploitent. Il est auto-hébergé : les liens, les clics et les chiffres y restent.',
    features: {
      links: 'Des liens courts et des liens profonds qui mènent chacun à la bonne page ou dans l’application',
      attribution: 'L’attribution : quel lien a mené à une installation ou à un achat',
      api: 'Une API REST pour tout, avec une description lisible par les machines',
      webhooks: 'Des webhooks signés pour ce qui arrive aux liens et dans les applications',
    },
    signIn: 'Se connecter',
    signUp: 'Créer un compte',
    noDashboard: 'La connexion se fait dans le tableau de bord, qui n’est pas installé sur ce serveur.',
    reference: 'Description de l’API REST',
  },
};
