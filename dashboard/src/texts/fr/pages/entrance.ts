import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['entrance'] = {
  signIn: 'Se connecter',
  signInTitle: 'Connexion',
  ended: 'Votre session a pris fin. Connectez-vous pour continuer.',
  kept: 'Votre saisie est conservée.',
  email: 'E-mail',
  password: 'Mot de passe',
  factorNeeded: 'Votre mot de passe est correct. Ce compte exige aussi un code.',
  forgot: 'Mot de passe oublié ?',
  signUp: 'Créer un compte',
  signUpTitle: 'Créez votre compte',
  teamName: 'Nom de l’équipe (facultatif)',
  teamNameHint: 'Vous pourrez inviter d’autres personnes plus tard.',
  haveAccount: 'Vous avez déjà un compte ?',
  noAccount: 'Pas encore de compte ?',
  byInvitation:
    'La création d’un compte se fait sur invitation. Demandez-en une à un propriétaire ou à un administrateur d’une équipe.',
  closed: 'Les inscriptions sont fermées. Demandez l’accès à l’administrateur de cette instance.',
  firstPassword:
    'Vous venez d’installer le service ? Le premier démarrage a affiché un e-mail et un mot de passe dans le terminal, ou les a écrits dans le fichier first-account du dossier de données.',
  forgotTitle: 'Réinitialiser le mot de passe',
  forgotBody: 'Saisissez l’e-mail de votre compte. Vous recevrez un lien pour définir un nouveau mot de passe.',
  sendLink: 'Envoyer le lien',
  sent: (email: string) =>
    `S’il existe un compte pour ${email}, un lien vient d’être envoyé. Il est valable pendant une heure.`,
  noMail:
    'Cette instance n’envoie pas d’e-mails. Son administrateur peut réinitialiser votre mot de passe avec cette commande :',
  operatorCommand: 'la commande',
  backToSignIn: 'Retour à la connexion',
  resetTitle: 'Nouveau mot de passe',
  resetBody: 'Dès qu’il sera défini, toutes les sessions de votre compte seront fermées.',
  setPassword: 'Définir le mot de passe',
  resetDone: 'Votre mot de passe a été modifié. Connectez-vous avec le nouveau.',
  tokenMissing: 'Ce lien est incomplet. Ouvrez-le à nouveau depuis l’e-mail, ou demandez-en un autre.',
  newLink: 'Obtenir un nouveau lien',
  invitationTitle: (team: string) => `Rejoindre ${team}`,
  invitationBody: (email: string, role: string) =>
    `Cette invitation est destinée à ${email}. Votre rôle dans l’équipe : ${role}.`,
  join: 'Rejoindre l’équipe',
  joinAs: (email: string) => `Rejoindre avec ${email}`,
  signedInAsOther: (signedIn: string, invited: string) =>
    `Vous utilisez le compte ${signedIn}, mais cette invitation est destinée à ${invited}. Déconnectez-vous pour l’accepter.`,
  signOut: 'Se déconnecter',
  createAndJoin: 'Créer un compte et rejoindre',
  signInToJoin: 'Déjà un compte ? Se connecter',
  invitationOver: 'Demandez une nouvelle invitation à la personne qui vous a invité.',
  confirmTitle: 'Confirmation de l’e-mail',
  confirmed: 'Votre e-mail est confirmé.',
  confirming: 'Confirmation de votre e-mail…',
  confirmBody: (email: string) =>
    `Nous avons envoyé un lien à ${email}. Ouvrez-le pour confirmer votre e-mail, puis revenez ici.`,
  resend: 'Renvoyer le lien',
  resent: 'Un nouveau lien vient d’être envoyé.',
  changeEmailTitle: 'Confirmation du nouvel e-mail',
  changingEmail: 'Modification de votre e-mail…',
  emailChanged: (email: string) => `Votre e-mail est maintenant ${email}. Utilisez-le désormais pour vous connecter.`,
  undoEmailTitle: 'Annulation du changement d’e-mail',
  undoEmailBody:
    'Quelqu’un a modifié l’e-mail de votre compte. Si ce n’était pas vous, annulez ce changement : vous récupérerez votre ancien e-mail, et toutes les sessions du compte seront fermées.',
  undoEmail: 'Annuler le changement',
  emailUndone:
    'Votre compte a retrouvé son ancien e-mail, et toutes ses sessions ont été fermées. Choisissez maintenant un nouveau mot de passe : la personne qui a modifié l’e-mail connaissait l’ancien. Si le compte a aussi été supprimé, connectez-vous ensuite avec le nouveau mot de passe pour le restaurer.',
  choosePassword: 'Choisir un mot de passe',
  undoFactorTitle: 'Désactiver l’authentification à deux facteurs',
  undoFactorBody:
    'Quelqu’un a activé l’authentification à deux facteurs sur votre compte. Si ce n’était pas vous, désactivez-la : l’application d’authentification sera retirée du compte, et toutes ses sessions seront fermées.',
  undoFactor: 'La désactiver',
  factorUndone:
    'L’authentification à deux facteurs est désactivée, et toutes les sessions de votre compte ont été fermées. Choisissez maintenant un nouveau mot de passe : une autre personne connaissait l’ancien. Si votre e-mail a aussi été modifié, annulez d’abord ce changement avec le lien de notre autre message.',
  proofBody:
    'Saisissez le mot de passe du compte pour confirmer que la demande vient de vous. Ne confirmez pas pour quelqu’un d’autre.',
  proofWrong: 'Le mot de passe est incorrect.',
  proofVerb: 'Confirmer',
  deleted: (date: string) =>
    `Votre compte va être supprimé. Si vous changez d’avis, connectez-vous avant le ${date} pour le restaurer.`,
  restoreTitle: 'Restaurer votre compte ?',
  restoreBody: (date: string) =>
    `Vous avez supprimé ce compte. Il sera définitivement supprimé le ${date}. D’ici là, vous pouvez le restaurer tel qu’il était.`,
  restore: 'Restaurer le compte',
  toDashboard: 'Aller au tableau de bord',
};
