type Content = Readonly<Record<string, unknown>>;

const stampPattern = /^edited:(\d+):\d+$/;

/**
 * Stamps the buttons of a message or modal with the edit time, so that clicks meant for the previous
 * buttons can be recognized. Blocks that already have an ID are left unchanged.
 */
export function stampEdit(content: Content, nowMs: number): Content {
  const { blocks } = content;
  if (!Array.isArray(blocks)) return content;
  return { ...content, blocks: blocks.map((block, index) => stampBlock(block, `edited:${nowMs}:${index}`)) };
}

/** Returns when the clicked block's message was last edited (epoch ms), or undefined if the block has no stamp. */
export function findEditTime(blockId: string): number | undefined {
  const [, editedMs] = stampPattern.exec(blockId) ?? [];
  return editedMs === undefined ? undefined : Number(editedMs);
}

function stampBlock(block: unknown, stamp: string): unknown {
  if (typeof block !== 'object' || block === null || !('type' in block)) return block;
  if (block.type !== 'actions' && !('accessory' in block)) return block;
  const ownId = 'block_id' in block && !stampPattern.test(String(block.block_id));
  return ownId ? block : { ...block, block_id: stamp };
}
