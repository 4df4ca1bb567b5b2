import { t } from '../../texts/index.ts';
import { useWidth } from '../../ui/charts/useWidth.ts';
import styles from './match.module.css';
import { type Piece, scoreBar } from './pieces.ts';
import type { Candidate } from './report.ts';

interface ScoreFigureProps {
  candidate: Candidate;
  threshold: number;
}

/** The score of a click against the threshold: a bar with a piece for each factor, and the same as a table. */
export function ScoreFigure({ candidate: { factors, score, verdict }, threshold }: ScoreFigureProps) {
  const { match } = t.apps;
  const [ref, barPx] = useWidth<HTMLDivElement>();
  const bar = scoreBar(factors, threshold);
  const sentence =
    score < threshold
      ? match.missed(score, threshold)
      : (verdict === 'matched' ? match.reached : match.other)(score, threshold);
  const pieces = factors.map(({ name, points }) => `${factorName(name)} ${signed(points)}`).join(', ');
  return (
    <figure className={styles.figure}>
      <figcaption>{sentence}</figcaption>
      <div
        ref={ref}
        role="img"
        aria-label={match.bar(sentence, pieces)}
        className={styles.bar}
        data-lost={bar.lost.length > 0 || undefined}
      >
        <span className={styles.needed} style={{ width: `${bar.threshold}%` }}>
          {match.needed(threshold)}
        </span>
        {bar.gained.map((piece, index) => (
          <PieceMark key={piece.name} piece={piece} color={colorOf(index)} barPx={barPx} />
        ))}
        {bar.lost.map((piece) => (
          <PieceMark key={piece.name} piece={piece} color={LOST} barPx={barPx} isLost />
        ))}
      </div>
      <table className={styles.factors}>
        <thead>
          <tr>
            <th scope="col">{match.factor}</th>
            <th scope="col">{match.value}</th>
          </tr>
        </thead>
        <tbody>
          {[...bar.gained, ...bar.lost, ...factors.filter(({ points }) => points === 0)].map(
            ({ name, points }, index) => (
              <tr key={name}>
                <th scope="row">
                  <span
                    className={styles.key}
                    style={{ background: points > 0 ? colorOf(index) : points < 0 ? LOST : 'none' }}
                    aria-hidden
                  />
                  {factorName(name)} <span className={styles.soft}>{match.factors[name]?.[1]}</span>
                </th>
                <td>{signed(points)}</td>
              </tr>
            ),
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{match.sum}</th>
            <td>{score}</td>
          </tr>
        </tfoot>
      </table>
    </figure>
  );
}

const COLORS = 5;
const LOST = 'var(--alarm)';

function colorOf(index: number): string {
  return `var(--chart-${(index % COLORS) + 1})`;
}

/** Narrower pieces have no room for their number. */
const NARROW_PX = 28;

interface PieceMarkProps {
  piece: Piece;
  color: string;
  barPx: number;
  isLost?: boolean;
}

function PieceMark({ piece, color, barPx, isLost = false }: PieceMarkProps) {
  const { name, points, left, width } = piece;
  return (
    <span
      className={styles.piece}
      data-lost={isLost || undefined}
      title={`${factorName(name)} ${signed(points)}`}
      style={{ left: `${left}%`, width: `${width}%`, background: color }}
    >
      {(width * barPx) / 100 < NARROW_PX ? null : signed(points)}
    </span>
  );
}

export function factorName(name: string): string {
  return t.apps.match.factors[name]?.[0] ?? name;
}

/** With a real minus, as wide as a plus. */
export function signed(points: number): string {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0';
}
