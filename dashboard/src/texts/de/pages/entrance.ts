import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['entrance'] = {
  signIn: 'Anmelden',
  signInTitle: 'Anmelden',
  ended: 'Ihre Sitzung ist abgelaufen. Melden Sie sich an, um fortzufahren.',
  kept: 'Was Sie eingegeben haben, ist gespeichert.',
  email: 'E-Mail',
  password: 'Passwort',
  factorNeeded: 'Ihr Passwort stimmt. Dieses Konto verlangt zusätzlich einen Code.',
  forgot: 'Passwort vergessen?',
  signUp: 'Konto erstellen',
  signUpTitle: 'Konto erstellen',
  teamName: 'Name des Teams (optional)',
  teamNameHint: 'Andere können Sie später einladen.',
  haveAccount: 'Schon ein Konto?',
  noAccount: 'Noch kein Konto?',
  byInvitation: 'Neue Konten gibt es nur auf Einladung. Bitten Sie einen Inhaber oder Admin eines Teams darum.',
  closed: 'Die Registrierung ist geschlossen. Bitten Sie den Betreiber dieser Instanz um Zugang.',
  firstPassword:
    'Gerade installiert? Beim ersten Start wurden eine E-Mail-Adresse und ein Passwort im Terminal ausgegeben oder in die Datei first-account im Datenordner geschrieben.',
  forgotTitle: 'Passwort zurücksetzen',
  forgotBody:
    'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie erhalten einen Link, um ein neues Passwort zu setzen.',
  sendLink: 'Link senden',
  sent: (email) =>
    `Wenn es ein Konto für ${email} gibt, ist ein Link dorthin unterwegs. Er funktioniert eine Stunde lang.`,
  noMail: 'Diese Instanz versendet keine E-Mails. Ihr Betreiber kann Ihr Passwort mit diesem Befehl zurücksetzen:',
  operatorCommand: 'Befehl',
  backToSignIn: 'Zurück zur Anmeldung',
  resetTitle: 'Neues Passwort wählen',
  resetBody: 'Danach sind alle Sitzungen Ihres Kontos beendet.',
  setPassword: 'Passwort setzen',
  resetDone: 'Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.',
  tokenMissing: 'Dieser Link ist unvollständig. Öffnen Sie ihn erneut aus der E-Mail oder fordern Sie einen neuen an.',
  newLink: 'Neuen Link anfordern',
  invitationTitle: (team) => `${team} beitreten`,
  invitationBody: (email, role) => `Diese Einladung gilt für ${email}. Sie treten als ${role} bei.`,
  join: 'Team beitreten',
  joinAs: (email) => `Als ${email} beitreten`,
  signedInAsOther: (signedIn, invited) =>
    `Sie sind als ${signedIn} angemeldet, aber diese Einladung gilt für ${invited}. Melden Sie sich ab, um sie anzunehmen.`,
  signOut: 'Abmelden',
  createAndJoin: 'Konto erstellen und beitreten',
  signInToJoin: 'Schon ein Konto? Anmelden',
  invitationOver: 'Bitten Sie die Person, die Sie eingeladen hat, um eine neue Einladung.',
  confirmTitle: 'E-Mail-Adresse bestätigen',
  confirmed: 'Ihre E-Mail-Adresse ist bestätigt.',
  confirming: 'Ihre E-Mail-Adresse wird bestätigt …',
  confirmBody: (email) =>
    `Wir haben einen Link an ${email} gesendet. Öffnen Sie ihn, um Ihre E-Mail-Adresse zu bestätigen, und kehren Sie dann hierher zurück.`,
  resend: 'Link erneut senden',
  resent: 'Ein neuer Link ist unterwegs.',
  changeEmailTitle: 'Neue E-Mail-Adresse bestätigen',
  changingEmail: 'Ihre E-Mail-Adresse wird geändert …',
  emailChanged: (email) => `Ihre E-Mail-Adresse ist jetzt ${email}. Melden Sie sich ab sofort damit an.`,
  undoEmailTitle: 'Änderung der E-Mail-Adresse rückgängig machen',
  undoEmailBody:
    'Jemand hat die E-Mail-Adresse Ihres Kontos geändert. Wenn Sie das nicht waren, machen Sie die Änderung rückgängig: Sie erhalten Ihre frühere Adresse zurück, und alle Sitzungen des Kontos werden beendet.',
  undoEmail: 'Änderung rückgängig machen',
  emailUndone:
    'Ihr Konto hat wieder seine frühere E-Mail-Adresse, und alle seine Sitzungen sind beendet. Wählen Sie jetzt ein neues Passwort: Wer die Adresse geändert hat, kannte das alte. Wurde das Konto auch gelöscht, melden Sie sich danach mit dem neuen Passwort an. Dann können Sie es wiederherstellen.',
  choosePassword: 'Neues Passwort wählen',
  undoFactorTitle: 'Zwei-Faktor-Authentifizierung ausschalten',
  undoFactorBody:
    'Jemand hat für Ihr Konto die Zwei-Faktor-Authentifizierung aktiviert. Wenn Sie das nicht waren, schalten Sie sie aus: Die Authentifizierungs-App wird vom Konto entfernt, und alle seine Sitzungen werden beendet.',
  undoFactor: 'Ausschalten',
  factorUndone:
    'Die Zwei-Faktor-Authentifizierung ist aus, und alle Sitzungen Ihres Kontos sind beendet. Wählen Sie jetzt ein neues Passwort: Jemand anderes kannte das alte. Wurde auch Ihre E-Mail-Adresse geändert, machen Sie das zuerst mit dem Link in unserer anderen Nachricht rückgängig.',
  proofBody:
    'Geben Sie das Passwort des Kontos ein, um zu bestätigen, dass die Anfrage von Ihnen kam. Bestätigen Sie nicht für jemand anderen.',
  proofWrong: 'Das Passwort ist falsch.',
  proofVerb: 'Bestätigen',
  deleted: (date) =>
    `Ihr Konto ist zur Löschung vorgemerkt. Wenn Sie es sich anders überlegen, melden Sie sich vor dem ${date} an. Dann können Sie es wiederherstellen.`,
  restoreTitle: 'Konto wiederherstellen?',
  restoreBody: (date) =>
    `Sie haben dieses Konto gelöscht. Am ${date} wird es endgültig gelöscht. Bis dahin können Sie es unverändert wiederherstellen.`,
  restore: 'Konto wiederherstellen',
  toDashboard: 'Zum Dashboard',
};
