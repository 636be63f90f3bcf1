export interface LimitTables {
  solved_challenges: { id: string; expires_at: Date };
  rate_limits: { key: string; window_start: Date; count: number };
}
