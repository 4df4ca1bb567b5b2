import { plural } from '../../plural.ts';
import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['account'] = {
  title: 'Compte',
  tabsLabel: 'Sections du compte',
  tabs: { 'sign-in': 'Connexion', sessions: 'Sessions', delete: 'Suppression' },
  email: {
    title: 'E-mail',
    change: 'Modifier l’e-mail',
    about: 'Il vous sert à vous connecter, et reçoit les messages sur votre compte et vos équipes.',
    mailed: 'Nous envoyons un lien à la nouvelle adresse. Votre e-mail change lorsque vous ouvrez ce lien.',
    atOnce:
      'Cette instance n’envoie pas d’e-mails : la modification prend effet immédiatement. Vérifiez l’orthographe de l’adresse.',
    new: 'Nouvel e-mail',
    sent: (email: string) => `Un lien vient d’être envoyé à ${email}.`,
    changed: (email: string) => `Votre e-mail est maintenant ${email}.`,
    pending: (email: string) =>
      `En attente de confirmation : ouvrez le lien envoyé à ${email} pour terminer la modification.`,
    cancel: 'Annuler la modification',
    cancelled: 'La modification est annulée. Votre e-mail reste inchangé.',
  },
  password: {
    title: 'Mot de passe',
    about: 'Choisissez un mot de passe que vous n’utilisez nulle part ailleurs.',
    change: 'Modifier le mot de passe',
    current: 'Mot de passe actuel',
    warning: 'Dès la modification, vos autres sessions sont fermées. Celle-ci reste ouverte.',
    changed: 'Votre mot de passe est modifié, et vos autres sessions sont fermées.',
  },
  factor: {
    title: 'Second facteur',
    off: 'Désactivé',
    on: 'Activé',
    offAbout:
      'Avec une application d’authentification, un mot de passe volé ne suffit plus pour se connecter à votre compte.',
    onAbout: 'La connexion exige un code de votre application d’authentification.',
    turnOn: 'Activer',
    setUpTitle: 'Activer le second facteur',
    first:
      'Confirmez d’abord votre identité. Vous scannerez ensuite un code avec une application d’authentification sur votre téléphone.',
    next: 'Continuer',
    scan: 'Scannez ce code avec votre application d’authentification, par exemple Google Authenticator, 1Password ou Aegis.',
    qr: 'Code QR de la clé ci-dessous',
    key: 'Ou saisissez cette clé',
    keyWhat: 'la clé',
    check:
      'Saisissez ensuite les six chiffres affichés par l’application. L’activation du second facteur ferme vos autres sessions.',
    turnedOn: 'Le second facteur est activé',
    codesTitle: 'Vos codes de récupération',
    codesAbout:
      'Chaque code permet de vous connecter une seule fois sans votre téléphone. Conservez-les séparément de votre mot de passe.',
    codesWhat: 'les codes de récupération',
    codesFile: 'svc-recovery-codes.txt',
    left: (count: number) =>
      plural(count, {
        one: `${count} code de récupération restant`,
        other: `${count} codes de récupération restants`,
      }),
    fewLeft:
      'Sans code de récupération, vous ne pourrez pas vous connecter si vous perdez votre téléphone. Créez-en de nouveaux.',
    newCodes: 'Nouveaux codes de récupération',
    newCodesAbout: 'Vous recevez dix nouveaux codes. Tous les anciens cessent de fonctionner.',
    makeCodes: 'Créer des codes',
    turnOff: 'Désactiver',
    turnOffTitle: 'Désactiver le second facteur ?',
    turnOffAbout:
      'Votre mot de passe suffira pour se connecter. Vos codes de récupération cessent de fonctionner ; pour réactiver le second facteur, vous devrez configurer l’application à nouveau.',
    turnedOff: 'Le second facteur est désactivé',
  },
  sessions: {
    title: 'Vos sessions ouvertes',
    columns: { device: 'Appareil', since: 'Connexion', used: 'Dernier usage', ends: 'Expiration', actions: 'Actions' },
    device: (browser: string, system: string) => `${browser} sous ${system}`,
    unknownDevice: 'Appareil inconnu',
    current: 'Cette session',
    end: 'Fermer la session',
    endOf: (device: string) => `Fermer la session : ${device}`,
    ended: 'Session fermée',
    endOthers: 'Fermer les autres',
    endOthersTitle: 'Fermer toutes les autres sessions ?',
    endOthersBody:
      'Tous les autres navigateurs sont déconnectés immédiatement et devront se reconnecter. Cette session reste ouverte.',
    othersEnded: 'Toutes les autres sessions sont fermées',
  },
  deletion: {
    title: 'Supprimer votre compte',
    about: (days) =>
      `Vous êtes immédiatement déconnecté partout. Pendant ${days}, vous pouvez vous connecter et restaurer votre compte. Il est ensuite définitivement supprimé.`,
    teams: 'Ce que deviennent vos équipes',
    noTeams: 'Vous ne faites partie d’aucune équipe.',
    columns: {
      team: 'Équipe',
      role: 'Votre rôle',
      fate: 'Conséquence',
      keys: 'Vos clés secrètes',
      webhooks: 'Vos webhooks',
    },
    leaves: 'Vous quittez l’équipe. Ses liens restent, y compris ceux que vous avez créés.',
    goes: 'Vous en êtes le seul membre : l’équipe est supprimée avec votre compte, ainsi que ses projets et ses liens.',
    blocks:
      'Vous en êtes le seul propriétaire : avant de supprimer votre compte, nommez un autre propriétaire ou supprimez l’équipe.',
    toTeam: 'Ouvrir l’équipe',
    keysEnd: (count: number) => plural(count, { one: `${count} clé expire`, other: `${count} clés expirent` }),
    noKeys: 'Aucune',
    webhooksGoOn: (count: number) => plural(count, { one: `${count} reste actif`, other: `${count} restent actifs` }),
    webhooksEnd: (count: number) =>
      plural(count, { one: `${count} supprimé avec l’équipe`, other: `${count} supprimés avec l’équipe` }),
    noWebhooks: 'Aucun',
    action: 'Supprimer le compte',
    blocked: 'Donnez d’abord un autre propriétaire à chaque équipe qui en a besoin.',
    confirmTitle: 'Supprimer votre compte ?',
    confirmBody: ({ teams, keys, webhooks }, days) =>
      [
        'Vous êtes déconnecté partout.',
        teams > 0
          ? plural(teams, {
              one: 'Une équipe dont vous êtes le seul membre est supprimée, et ses liens cessent de fonctionner.',
              other: `${teams} équipes dont vous êtes le seul membre sont supprimées, et leurs liens cessent de fonctionner.`,
            })
          : 'Vos équipes continuent sans vous, avec tous leurs liens.',
        keys > 0
          ? plural(keys, {
              one: 'Une clé secrète que vous avez créée expire.',
              other: `${keys} clés secrètes que vous avez créées expirent.`,
            })
          : '',
        webhooks > 0
          ? plural(webhooks, {
              one: 'Un webhook que vous avez configuré continue d’envoyer des événements.',
              other: `${webhooks} webhooks que vous avez configurés continuent d’envoyer des événements.`,
            })
          : '',
        `Vous pouvez restaurer votre compte pendant ${days}.`,
      ]
        .filter(Boolean)
        .join(' '),
    deletedTeams: 'Équipes supprimées',
    goneAt: 'Suppression définitive',
    restore: 'Restaurer',
    restoreOf: (name: string) => `Restaurer ${name}`,
    restored: (name: string) => `Restauration effectuée : ${name}`,
  },
  look: {
    title: 'Apparence et langue',
    about: 'Conservé dans ce navigateur uniquement. Les modifications prennent effet immédiatement.',
    appearance: 'Apparence',
    density: 'Lignes des listes',
    densities: { comfortable: 'Confortables', compact: 'Compactes : plus de lignes à l’écran' },
    language: 'Langue',
    languageAbout: 'La page s’actualise lorsque vous en choisissez une autre.',
    sameAsBrowser: 'Celle du navigateur',
    region: 'Langue et fuseau horaire',
    zone: 'Fuseau horaire',
    zoneAbout: 'Pour toutes les heures, et pour les jours des statistiques.',
    useBrowserZone: (zone: string) => `Utiliser celui du navigateur : ${zone}`,
    applied: 'Enregistré dans ce navigateur',
  },
};
