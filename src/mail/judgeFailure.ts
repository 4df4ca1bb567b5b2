/** What nodemailer tells of a mail that was not taken. */
export interface SmtpFailure {
  message: string;
  code?: string;
  /** The command that failed. */
  command?: string;
  /** What the server answered, if it did. */
  responseCode?: number;
}

export interface Verdict {
  /** Trying again would change nothing. */
  isFinal: boolean;
  /** It is about the server and not about this mail: others would fare the same. */
  isServerAway: boolean;
}

/** The server was told of the mail, or nodemailer found that nobody can be told of it. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE'];

/** What follows from a failure. A server that refuses our password or our sender may yet be brought to take them. */
export function judgeFailure({ code = '', command, responseCode }: SmtpFailure): Verdict {
  const isAnswer = responseCode !== undefined;
  const isOurSender = command === 'MAIL FROM' && isAnswer;
  const isServerAway = !ABOUT_THE_MAIL.includes(code) || isOurSender || responseCode === 421;
  return { isFinal: !isServerAway && (!isAnswer || responseCode >= 500), isServerAway };
}
