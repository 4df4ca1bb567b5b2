import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['entrance'] = {
  signIn: 'Iniciar sesión',
  signInTitle: 'Iniciar sesión',
  email: 'Correo electrónico',
  password: 'Contraseña',
  factorNeeded: 'Tu contraseña es correcta. Esta cuenta también necesita un código.',
  forgot: '¿Olvidaste tu contraseña?',
  signUp: 'Crear una cuenta',
  signUpTitle: 'Crea tu cuenta',
  teamName: 'Nombre del equipo (opcional)',
  teamNameHint: 'Puedes invitar a otras personas más adelante.',
  haveAccount: '¿Ya tienes una cuenta?',
  noAccount: '¿Aún no tienes cuenta?',
  byInvitation:
    'Para crear una cuenta necesitas una invitación. Pídela a un propietario o administrador de un equipo de esta instancia.',
  closed: 'El registro está cerrado. Pide acceso al operador de esta instancia.',
  firstPassword:
    '¿Recién instalado? El primer arranque mostró un correo y una contraseña en la terminal, o los escribió en el archivo first-account de la carpeta de datos.',
  forgotTitle: 'Restablece tu contraseña',
  forgotBody: 'Escribe el correo de tu cuenta. Recibirás un enlace para elegir una nueva contraseña.',
  sendLink: 'Enviar enlace',
  sent: (email) => `Si existe una cuenta para ${email}, hay un enlace en camino. Funciona durante una hora.`,
  noMail: 'Esta instancia no envía correos. Su operador puede restablecer tu contraseña con este comando:',
  operatorCommand: 'el comando',
  backToSignIn: 'Volver a iniciar sesión',
  resetTitle: 'Elige una nueva contraseña',
  resetBody: 'Al guardarla, se cierran todas las sesiones de tu cuenta.',
  setPassword: 'Guardar contraseña',
  resetDone: 'Tu contraseña ha cambiado. Inicia sesión con la nueva.',
  tokenMissing: 'Este enlace está incompleto. Vuelve a abrirlo desde el correo o pide uno nuevo.',
  newLink: 'Obtener un enlace nuevo',
  invitationTitle: (team) => `Únete a ${team}`,
  invitationBody: (email, role) => `Esta invitación es para ${email}. Te unirás como ${role}.`,
  join: 'Unirme al equipo',
  joinAs: (email) => `Unirme como ${email}`,
  signedInAsOther: (signedIn, invited) =>
    `Has iniciado sesión como ${signedIn}, pero esta invitación es para ${invited}. Cierra la sesión para aceptarla.`,
  signOut: 'Cerrar sesión',
  createAndJoin: 'Crear cuenta y unirme',
  signInToJoin: '¿Ya tienes cuenta? Inicia sesión',
  invitationOver: 'Pide una nueva invitación a la persona que te invitó.',
  confirmTitle: 'Confirma tu correo electrónico',
  confirmed: 'Tu correo electrónico está confirmado.',
  confirming: 'Confirmando tu correo electrónico…',
  confirmBody: (email) =>
    `Enviamos un enlace a ${email}. Ábrelo para confirmar tu correo electrónico y después vuelve aquí.`,
  resend: 'Volver a enviar el enlace',
  resent: 'Hay un nuevo enlace en camino.',
  changeEmailTitle: 'Confirma tu nuevo correo electrónico',
  changingEmail: 'Cambiando tu correo electrónico…',
  emailChanged: (email) => `Tu correo ahora es ${email}. Úsalo para iniciar sesión a partir de ahora.`,
  undoEmailTitle: 'Deshacer el cambio de correo',
  undoEmailBody:
    'Alguien cambió el correo de tu cuenta. Si no fuiste tú, deshaz el cambio: recuperas tu correo anterior y se cierran todas las sesiones de la cuenta.',
  undoEmail: 'Deshacer el cambio',
  emailUndone:
    'Tu cuenta vuelve a tener su correo anterior y todas sus sesiones se han cerrado. Ahora elige una nueva contraseña: quien cambió el correo conocía la anterior. Si además se eliminó la cuenta, inicia sesión después con la nueva contraseña y podrás restaurarla.',
  choosePassword: 'Elegir una nueva contraseña',
  undoFactorTitle: 'Deshacer la verificación en dos pasos',
  undoFactorBody:
    'Alguien activó la verificación en dos pasos en tu cuenta. Si no fuiste tú, deshazlo: la aplicación de autenticación se quita de la cuenta y se cierran todas sus sesiones.',
  undoFactor: 'Deshacer',
  factorUndone:
    'La verificación en dos pasos está desactivada y todas las sesiones de tu cuenta se han cerrado. Ahora elige una nueva contraseña: otra persona conocía la anterior. Si también se cambió tu correo, deshaz antes ese cambio con el enlace de nuestro otro mensaje.',
  proofBody:
    'Introduce la contraseña de la cuenta para confirmar que fuiste tú quien lo pidió. No confirmes en nombre de otra persona.',
  proofWrong: 'La contraseña es incorrecta.',
  proofVerb: 'Confirmar',
  deleted: (date) =>
    `Tu cuenta se eliminará definitivamente. Si cambias de idea, inicia sesión antes del ${date} y podrás restaurarla.`,
  restoreTitle: '¿Restaurar tu cuenta?',
  restoreBody: (date) =>
    `Eliminaste esta cuenta. Se eliminará definitivamente el ${date}. Hasta entonces puedes restaurarla tal como estaba.`,
  restore: 'Restaurar cuenta',
  toDashboard: 'Ir al panel',
};
