import { z } from 'zod';
import { card, carousel } from './blocks/cards.ts';
import { dataVisualization } from './blocks/charts.ts';
import { container } from './blocks/container.ts';
import { actions, contextActions, input } from './blocks/interactive-blocks.ts';
import { context, file, image, video } from './blocks/media-blocks.ts';
import { dataTable, table } from './blocks/tables.ts';
import { plan, taskCard } from './blocks/tasks.ts';
import { alert, divider, header, markdown, section } from './blocks/text-blocks.ts';
import { richText } from './rich-text.ts';
import { unionForSurface } from './surface-union.ts';
import { blockSurfaces, type Surface } from './surfaces.ts';

const kinds = {
  actions,
  alert,
  card,
  carousel,
  container,
  context,
  context_actions: contextActions,
  data_table: dataTable,
  data_visualization: dataVisualization,
  divider,
  file,
  header,
  image,
  input,
  markdown,
  plan,
  rich_text: richText,
  section,
  table,
  task_card: taskCard,
  video,
};

/** Builds the schema for all blocks of a surface. Each block is checked on its own. */
export function blocksSchema(surface: Surface, max: number) {
  return z.array(unionForSurface(kinds, blockSurfaces, surface)).max(max);
}
