import { clock } from '../../kernel/clock.ts';
import type { BurstDetector, Followed } from './BurstDetector.ts';
import type { Span } from './spans.ts';

/** Of the links of a burst, this share in one process is a reason to look for the others. */
const SHARE = 0.25;
/** Until then the other processes have stored what they had in their journals. */
const GRACE_MS = 2000;
/** Addresses that are asked for at once, and that wait at most. */
const TOGETHER = 200;
const MOST = 5000;

/** Several addresses of a team, in one stretch of time. */
export interface QuestionOfTeam {
  teamId: string;
  addressHashes: string[];
  span: Span;
}

interface Question {
  teamId: string;
  addressHash: string;
  dueMs: number;
  span: Span;
}

/**
 * What to ask the store: a balancer may spread the requests of one address over several processes, of which none sees a
 * burst. An address that makes a good part of one here is asked for once the window is over, with all others of its team.
 */
export class Questions {
  readonly #waiting = new Map<string, Question>();
  readonly #fewest: number;

  constructor(
    links: number,
    private readonly windowMs: number,
  ) {
    this.#fewest = Math.ceil((links + 1) * SHARE);
  }

  /** A click of which the detector knows already. */
  see({ teamId, addressHash, occurredAt }: Omit<Followed, 'isHuman'>, detector: BurstDetector): void {
    const key = keyOf({ teamId, addressHash });
    const waiting = this.#waiting.get(key);
    if (waiting) {
      waiting.span.fromMs = Math.min(waiting.span.fromMs, occurredAt - this.windowMs);
      waiting.span.toMs = Math.max(waiting.span.toMs, occurredAt + this.windowMs);
    } else if (this.#waiting.size < MOST && detector.isSpread({ teamId, addressHash }, this.#fewest)) {
      const span = { fromMs: occurredAt - this.windowMs, toMs: occurredAt + this.windowMs };
      this.#waiting.set(key, { teamId, addressHash, dueMs: clock.now() + this.windowMs + GRACE_MS, span });
    }
  }

  /** Asks what is due at that time, several addresses of a team together. When `ask` throws, the question stays. */
  async askDue(nowMs: number, ask: (question: QuestionOfTeam) => Promise<void>): Promise<void> {
    const teams = new Map<string, Question[]>();
    for (const question of this.#waiting.values()) {
      if (question.dueMs <= nowMs) teams.set(question.teamId, [...(teams.get(question.teamId) ?? []), question]);
    }
    for (const questions of teams.values()) {
      for (let at = 0; at < questions.length; at += TOGETHER) await this.#ask(questions.slice(at, at + TOGETHER), ask);
    }
  }

  async #ask(questions: Question[], ask: (question: QuestionOfTeam) => Promise<void>): Promise<void> {
    for (const question of questions) this.#waiting.delete(keyOf(question));
    try {
      await ask(asOne(questions));
    } catch (error) {
      for (const question of questions) this.#waiting.set(keyOf(question), question);
      throw error;
    }
  }
}

function asOne(questions: Question[]): QuestionOfTeam {
  return {
    teamId: (questions[0] as Question).teamId,
    addressHashes: questions.map(({ addressHash }) => addressHash),
    span: {
      fromMs: Math.min(...questions.map(({ span }) => span.fromMs)),
      toMs: Math.max(...questions.map(({ span }) => span.toMs)),
    },
  };
}

function keyOf({ teamId, addressHash }: Pick<Question, 'teamId' | 'addressHash'>): string {
  return `${teamId} ${addressHash}`;
}
