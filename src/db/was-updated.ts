/** Runs an update of one row. Resolves to whether it changed the row. */
export async function wasUpdated(update: {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint }>;
}): Promise<boolean> {
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}
