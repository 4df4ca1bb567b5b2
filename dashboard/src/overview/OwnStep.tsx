import { useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Code } from '../ui/Code.tsx';
import styles from './overview.module.css';

/** A domain or an app of one's own. */
export function OwnStep() {
  const { service } = useSession();
  const { own } = t.overview.steps;
  return (
    <div className={styles.form}>
      <p>{own.about}</p>
      <Code text={domainCommand(service.baseUrl)} what={own.domain} />
      <p>
        <a href={`${service.baseUrl}/api/v1/openapi.json`} target="_blank" rel="noopener noreferrer">
          {own.reference}
        </a>
      </p>
    </div>
  );
}

function domainCommand(baseUrl: string): string {
  return [
    `curl ${baseUrl}/api/v1/domains`,
    '  -H "Authorization: Bearer $KEY"',
    '  -H "Content-Type: application/json"',
    `  -d '{"hostname": "go.example.com"}'`,
  ].join(' \\\n');
}
