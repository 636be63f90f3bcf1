import type { SheetName } from '@portal/contract/console/sheets.ts';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Json } from './column-types.ts';

export interface SheetTables {
  sheets: {
    name: SheetName;
    revision: number;
    pack_digest: string | null;
  };
  sheet_rows: {
    sheet: SheetName;
    key: string;
    starts_at: Date;
    ends_at: Date | null;
    entry: Json<unknown>;
    position: number;
    revision: number;
    is_from_pack: boolean;
    search: string;
  };
  sheet_changes: {
    id: string;
    sheet: SheetName;
    changes: string;
    digest: string;
    /** The changed entries and the revision of each that the change is based on. */
    keys: GeneratedAlways<string[]>;
    revisions: GeneratedAlways<number[]>;
    made_at: Date;
  };
  shops: {
    id: string;
    kind: 'shop' | 'dealer';
    name: string;
    title: string;
    latitude: number;
    longitude: number;
    /** In the Mercator projection; written as point(x, y), never read. */
    position: ColumnType<never, string, string>;
    address: string;
    phone: string;
    city: string;
    region: string;
    hours: Generated<string>;
  };
  shop_imports: { pack: string; digest: string; imported_at: Date };
}
