import { plural } from '../../plural.ts';
import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['team'] = {
  title: 'Équipe',
  about: 'Qui peut faire quoi, et ce qui a été fait.',
  tabsLabel: 'Sections de la page d’équipe',
  tabs: { members: 'Membres', settings: 'Paramètres', data: 'Données' },
  auditLog: 'Journal d’audit',
  newTeam: 'Nouvelle équipe',
  roleAbouts: {
    owner: 'Tout, y compris le mode survie et la suppression de l’équipe.',
    admin: 'Tout, sauf modifier les propriétaires.',
    member:
      'Travaille avec les liens, les webhooks et les statistiques. Ni clés, ni domaines, ni paramètres du projet.',
    viewer: 'Peut tout voir et ne rien modifier.',
  },
  members: {
    title: 'Membres',
    email: 'E-mail',
    role: 'Rôle',
    since: 'Membre depuis',
    secondFactor: 'Second facteur',
    secondFactorOn: 'Activé',
    secondFactorOff: 'Désactivé',
    actions: 'Actions',
    you: 'Vous',
    mayReturn: (date: string) => `Parti, peut revenir jusqu’au ${date}`,
    roleOf: (email: string) => `Rôle de ${email}`,
    actionsOf: (email: string) => `Actions pour ${email}`,
    lastOwner: 'Une équipe a besoin d’un propriétaire. Nommez d’abord quelqu’un d’autre propriétaire.',
    onlyOwners: 'Seuls les propriétaires peuvent modifier ou retirer un propriétaire.',
    roleChanged: (email: string, role: string) => `Nouveau rôle de ${email} : ${role}`,
    roleDialog: {
      title: (email: string, role: string) => `Attribuer le rôle ${role} à ${email} ?`,
      verb: 'Modifier le rôle',
      owner:
        'Les propriétaires peuvent tout faire dans cette équipe, y compris vous retirer, supprimer l’équipe et la mettre en mode survie. Vous restez propriétaire.',
      self: (role: string) =>
        `Vous modifiez votre propre rôle. Avec le rôle ${role}, vous ne pourrez peut-être pas revenir en arrière vous-même.`,
    },
    remove: {
      action: 'Retirer',
      notBack:
        'Cette personne a supprimé son compte. Si vous la retirez, elle ne pourra plus revenir dans l’équipe, même en restaurant son compte.',
      title: (email: string) => `Retirer ${email} ?`,
      lost: 'Cette personne perd immédiatement l’accès à l’équipe. Les clés secrètes qu’elle y a créées expirent également, par défaut au bout d’un jour.',
      stays: 'Ses liens, ses webhooks et tout ce qu’elle a créé d’autre restent.',
      keys: 'Vous verrez ensuite ses clés secrètes et ses webhooks, s’il y en a : vous pourrez conserver les clés et désactiver les webhooks.',
      done: (email: string) => `Membre retiré : ${email}`,
    },
    leave: {
      action: 'Quitter l’équipe',
      title: (team: string) => `Quitter ${team} ?`,
      lost: 'Vous perdez immédiatement l’accès. Les clés secrètes que vous avez créées ici expirent également, par défaut au bout d’un jour, sauf si un propriétaire ou un administrateur les conserve.',
      stays:
        'Vos liens, vos webhooks et tout ce que vous avez créé d’autre restent. Pour revenir, il vous faudra une nouvelle invitation.',
      done: (team: string) => `Vous avez quitté ${team}`,
    },
  },
  ended: {
    titleOfWebhooks: 'Des webhooks envoient encore des événements',
    webhooks: 'Webhooks',
    webhooksAbout:
      'Ces webhooks continuent d’envoyer des événements à des adresses que cette personne a définies. Désactivez-les si vous ne connaissez pas les destinataires.',
    webhooksLeft: 'Ces webhooks que vous avez configurés continuent d’envoyer des événements.',
    url: 'URL',
    disable: 'Désactiver les webhooks',
    disabled: 'Les webhooks sont désactivés',
    title: (count: number) =>
      plural(count, { one: 'Une clé va bientôt expirer', other: `${count} clés vont bientôt expirer` }),
    removed: (email: string) =>
      `Ces clés secrètes ont été créées par ${email}, ou avec l’une de ses clés. Les requêtes qui les utilisent sont refusées dès leur expiration.`,
    left: 'Vous avez créé ces clés secrètes, ou elles ont été créées avec l’une des vôtres. Les requêtes qui les utilisent sont refusées dès leur expiration. Si l’une d’elles est encore nécessaire, demandez à un propriétaire ou à un administrateur de la conserver.',
    name: 'Nom',
    key: 'Clé',
    ends: 'Expiration',
    project: 'Projet',
    keep: 'Conserver des clés',
    keepIn: (project: string) => `Conserver des clés de ${project}`,
    ending: (lastFour: string) => `…${lastFour}`,
  },
  invitations: {
    title: 'Invitations en attente',
    new: 'Inviter',
    empty: 'Personne n’est invité pour le moment.',
    emptyAbout: 'Invitez des personnes par e-mail. Elles choisissent leur propre mot de passe.',
    by: 'Invitation par',
    until: 'Expiration',
    expired: 'Expirée',
    revoke: 'Retirer',
    revokeOf: (email: string) => `Retirer l’invitation de ${email}`,
    revokeTitle: (email: string) => `Retirer l’invitation de ${email} ?`,
    revokeBody: 'Son lien cesse de fonctionner. Vous pouvez inviter à nouveau cette personne à tout moment.',
    revoked: 'Invitation retirée',
    form: {
      title: 'Inviter une personne',
      email: 'E-mail',
      emailHint: 'L’invitation ne fonctionne que pour cette adresse.',
      role: 'Rôle',
      action: 'Inviter',
      limit: 'Trop d’invitations',
    },
    created: {
      title: (email: string) => `Invitation créée pour ${email}`,
      mailed: 'Nous avons aussi envoyé le lien par e-mail. Vous n’en avez besoin que si cet e-mail n’arrive pas.',
      byHand: 'Aucun e-mail n’a été envoyé, car cette instance n’en envoie pas. Transmettez le lien vous-même.',
      valid: (email: string) => `Il ne fonctionne qu’une seule fois, et uniquement pour ${email}. Expiration :`,
      what: 'le lien d’invitation',
      fileName: 'svc-invitation.txt',
    },
  },
  settings: {
    name: 'Nom de l’équipe',
    nameTitle: 'Nom',
  },
  limits: {
    title: 'Limites d’une nouvelle équipe',
    about:
      'Au début, les nouvelles équipes peuvent créer moins de liens. Ces limites disparaissent automatiquement après quelques jours.',
    hour: 'Liens de la dernière heure',
    day: 'Liens du dernier jour',
    used: (used: string, limit: string) => `${used} sur ${limit}`,
    eases: 'Nouveaux liens possibles :',
  },
  survival: {
    title: 'Mode survie',
    about:
      'Fige l’équipe en cas d’urgence, comme une fuite de clé ou une erreur en masse : rien ne peut être modifié, ni par des personnes ni par des clés, tant qu’un propriétaire n’y a pas mis fin.',
    goesOn: 'Les liens continuent de rediriger, les clics sont comptés et les webhooks sont envoyés.',
    stops: 'Toute création, modification ou suppression est refusée, dans le tableau de bord comme dans l’API.',
    on: 'Le mode survie est activé',
    reasonIs: 'Motif :',
    enter: 'Activer le mode survie',
    onlyOwner: 'Seul un propriétaire de l’équipe peut y mettre fin.',
    form: {
      title: (team: string) => `Mettre ${team} en mode survie ?`,
      reason: 'Motif',
      reasonHint: 'Les membres le voient sur chaque page, et chaque requête refusée le mentionne.',
      confirm: (team: string) => `Saisissez « ${team} » pour confirmer`,
    },
    entered: 'L’équipe est en mode survie',
  },
  archive: {
    title: 'Tout télécharger',
    about:
      'Un seul fichier ZIP avec tous les projets de l’équipe : liens, tags, domaines, webhooks, clics, installations, événements in-app, alertes, membres et journal d’audit.',
    without:
      'Il ne contient pas : les mots de passe, les clés secrètes, les secrets des webhooks, ni rien qui identifie l’adresse d’un visiteur.',
    wait: 'Pour une grande équipe, cela prend du temps. Le téléchargement commence immédiatement et le fichier grossit au fil de l’écriture.',
    action: 'Télécharger l’archive',
    onlyOwner: 'Seuls les propriétaires peuvent télécharger l’archive.',
  },
  restore: {
    title: 'Projets supprimés',
    banner: (count: string, number: number) =>
      plural(number, {
        one: 'Un projet supprimé peut encore être restauré.',
        other: `${count} projets supprimés peuvent encore être restaurés.`,
      }),
    show: 'Afficher les projets supprimés',
    name: 'Projet',
    until: 'Suppression définitive',
    empty: 'Aucun projet supprimé ne peut être restauré.',
    action: 'Restaurer',
    actionOf: (name: string) => `Restaurer ${name}`,
    done: (name: string) => `Projet restauré : ${name}`,
    open: 'Ouvrir',
  },
  deletion: {
    title: 'Supprimer l’équipe',
    about: (days) =>
      `Supprime l’équipe et tous ses projets. Pendant ${days}, les propriétaires peuvent la restaurer ; elle est ensuite définitivement supprimée.`,
    action: 'Supprimer l’équipe',
    dialogTitle: (team: string) => `Supprimer ${team} ?`,
    stops:
      'Dès maintenant, les liens ne redirigent plus, les webhooks ne sont plus envoyés et les clés sont refusées. Plus personne ne voit l’équipe.',
    goes: 'Sont supprimés avec l’équipe :',
    undo: 'Tout propriétaire peut tout restaurer avant la suppression définitive. Nous envoyons la date limite aux propriétaires par e-mail.',
    counting: 'Comptage de ce qui serait supprimé…',
    counts: {
      projects: 'Projets',
      links: 'Liens',
      domains: 'Domaines',
      webhooks: 'Webhooks',
      keys: 'Clés',
      members: 'Membres',
      installs: 'Installations',
      clicks: 'Clics',
    },
    typesLinks: 'Le nombre à saisir est le nombre de liens.',
    done: (team: string, until: string) =>
      `Équipe supprimée : ${team}. Ses propriétaires peuvent la restaurer jusqu’au ${until}.`,
    restored: (team: string) => `Équipe restaurée : ${team}`,
  },
  create: {
    title: 'Nouvelle équipe',
    about: 'Une équipe a ses propres membres, projets, clés et domaines. Rien n’est partagé entre les équipes.',
    name: 'Nom de l’équipe',
    nameHint: 'Par exemple le nom de votre entreprise ou d’un client.',
    action: 'Créer l’équipe',
    closed: 'Vous ne pouvez pas créer d’équipe ici',
    closedAbout:
      'Sur cette instance, seules les personnes propriétaires d’une équipe peuvent en créer une autre. Demandez à être invité dans une équipe.',
    limit: 'Vous possédez autant d’équipes que permis par personne',
    limitAbout: 'Nommez quelqu’un d’autre propriétaire de l’une d’elles, ou supprimez-en une, puis réessayez.',
  },
};
