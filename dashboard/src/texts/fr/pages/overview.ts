import { plural } from '../../plural.ts';
import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['overview'] = {
  title: 'Vue d’ensemble',
  steps: {
    title: 'Premiers pas',
    done: (done: number, all: number) => `${done} sur ${all}`,
    allDone: 'Tout est fait',
    dismiss: 'Masquer',
    isDone: 'Fait',
    isOpen: 'À faire',
    next: (step: string) => `Suivant : ${step}`,
    create: {
      title: 'Créer un lien court',
      about: 'Collez une URL pour la raccourcir.',
      label: 'URL à raccourcir',
      action: 'Raccourcir',
    },
    open: {
      title: 'L’ouvrir',
      noLink: 'Créez d’abord un lien court.',
      about:
        'Scannez le code QR avec votre téléphone, ou ouvrez le lien ici. Le clic apparaît ci-dessous en moins de deux secondes.',
      aboutHere:
        'Ouvrez le lien ici. Le clic apparaît ci-dessous en moins de deux secondes. Votre téléphone ne peut pas accéder à localhost : pour essayer le code QR, donnez à BASE_URL une adresse accessible depuis votre téléphone.',
      action: 'Ouvrir le lien',
      waiting: 'En attente du premier clic…',
      seen: 'Le premier clic est arrivé.',
      arrived: (kind: string) => `Clic reçu : ${kind}.`,
      person: 'Un navigateur l’a ouvert, et rien n’indique un robot.',
      notCounted: 'Ces clics sont conservés, mais pas comptés comme des personnes.',
    },
    webhook: {
      title: 'Ajouter un webhook',
      about: 'Un webhook envoie chaque clic et chaque modification à votre serveur sous forme de requête signée.',
      noServer: (address: string) =>
        `Pas encore de serveur ? Exécutez ceci dans un terminal, puis utilisez ${address} :`,
      language: 'Langage',
      receiver: 'le récepteur',
      url: 'URL de l’endpoint',
      action: 'Ajouter le webhook',
      created: 'Webhook ajouté. Envoyez un événement de test pour voir la requête et la réponse.',
      exists: 'Vous avez un webhook :',
      hide: 'Masquer le secret',
      privateRefused:
        'Cette instance n’envoie rien aux adresses privées comme localhost. Son administrateur peut l’autoriser avec ALLOW_PRIVATE_TARGETS=true.',
    },
    api: {
      title: 'Appeler l’API',
      about: 'Créez une clé API et servez-vous-en pour créer un lien depuis votre terminal.',
      action: 'Créer une clé API',
      keyName: 'Premiers pas',
      key: 'la clé API',
      fileName: 'svc-key.txt',
      command: 'la commande curl',
      stored: 'Masquer la clé',
      waiting: 'En attente de la première requête avec une clé secrète…',
      used: 'La première requête API est arrivée.',
    },
    own: {
      title: 'Utiliser votre domaine ou votre application',
      about:
        'Placez vos liens courts sur votre propre domaine, ou faites-leur ouvrir votre application. Configurez un domaine avec la clé de l’étape précédente :',
      domain: 'la commande d’ajout de domaine',
      reference: 'Référence de l’API (OpenAPI)',
    },
    import: 'Importer des liens existants',
  },
  figures: {
    clicks: 'Clics',
    visitors: 'Visiteurs',
    days: '7 derniers jours',
    before: (change: string, dates: string) => `${change} vs ${dates}`,
    noBefore: (dates: string) => `0 avant (${dates})`,
  },
  top: { title: 'Meilleurs liens, 7 derniers jours', empty: 'Aucun clic ces 7 derniers jours.' },
  newest: { title: 'Liens les plus récents', empty: 'Aucun lien.' },
  attention: {
    title: 'À surveiller',
    none: 'Tout va bien.',
    alerts: (count: string, number: number) =>
      `${count} ${plural(number, { one: 'alerte ouverte', many: 'd’alertes ouvertes', other: 'alertes ouvertes' })}`,
    off: (url: string) => `Webhook désactivé : ${url}`,
    held: (url: string) => `Livraisons suspendues, car le récepteur est en échec : ${url}`,
    health: 'Des contrôles de santé échouent dans ce projet',
  },
};
