import { migrateJobs } from '../../../jobs/boss.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { config } from '../../../src/kernel/config.ts';
import { type AdminCommand, WrongArguments } from './AdminCommand.ts';

export const MIGRATION_COMMANDS: AdminCommand[] = [
  {
    name: 'migrate',
    usage: '',
    about: 'brings the tables of the store up to date; with PostgreSQL also while processes run, see docs/upgrade.md',
    needs: 'older store',
    isLong: true,
    async run(args, { showProgress }) {
      if (args.length > 0) throw new WrongArguments();
      const { migrations, indexes, partitioned } = await migrate(showProgress);
      await migrateJobs(config);
      if (migrations.length + indexes.length + partitioned.length === 0) return 'The store is up to date.';
      return [
        ...migrations.map((name) => `  ${name}`),
        ...indexes.map((name) => `  index ${name}`),
        ...partitioned.map((name) => `  partitions of ${name}`),
        'The store is up to date.',
      ].join('\n');
    },
  },
];
