export interface OperationTables {
  /** Keys that some values may be under. Includes `clear` while some values are unencrypted. */
  personal_data_keys: { id: string; proof: string; written_at: Date };
  epochs: {
    number: number;
    server: string;
    began_at: Date;
    seen_at: Date;
    is_restored: boolean;
    open_payments: number;
  };
}
