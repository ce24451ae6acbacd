import type { World } from '../world/world.ts'

/** Keeps rows as they are, and puts them back as if nothing had been. */
export async function keptRows(
  world: Pick<World, 'sql'>,
  table: string,
  where: string,
  values: unknown[],
): Promise<() => Promise<void>> {
  const rows = await world.sql(`select to_jsonb(t) as row from ${table} t where ${where}`, values)
  return async () => {
    await world.sql(`delete from ${table} t where ${where}`, values)
    await world.sql(
      `insert into ${table} select r.* from jsonb_array_elements($1::jsonb) as e, lateral jsonb_populate_record(null::${table}, e) r`,
      [JSON.stringify(rows.map(({ row }) => row))],
    )
  }
}
