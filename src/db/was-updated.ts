/** Runs an update that affects at most one row. Returns whether the row was changed. */
export async function wasUpdated(update: {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint }>;
}): Promise<boolean> {
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}
