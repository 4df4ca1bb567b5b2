import { DataTypes, Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A part of the file of an import, kept until the import ends. */
@table(
  'import_chunks',
  {
    importId: { ...c.text(), primaryKey: true },
    number: { ...c.integer(), primaryKey: true },
    bytes: { type: DataTypes.BLOB, allowNull: false },
  },
  { timestamps: false },
)
export class ImportChunk extends Model {
  declare importId: string;
  declare number: number;
  declare bytes: Buffer;
}
