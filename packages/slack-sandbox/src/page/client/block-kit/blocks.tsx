import { Component, type ReactNode, useRef } from 'react';
import type { Block } from './block-shapes.ts';
import { CardView, CarouselView } from './blocks/card.tsx';
import { ContainerView } from './blocks/container.tsx';
import { InputView } from './blocks/input.tsx';
import { MarkdownView } from './blocks/markdown.tsx';
import { ImageView } from './blocks/media/image.tsx';
import { FileView, VideoView } from './blocks/media/video.tsx';
import { RichTextView } from './blocks/rich-text.tsx';
import { SectionView } from './blocks/section.tsx';
import { ActionsView, AlertView, ContextView, HeaderView } from './blocks/simple-blocks.tsx';
import { DataTableView } from './blocks/tables/data-table.tsx';
import { TableView } from './blocks/tables/table.tsx';
import { PlanView, TaskView } from './blocks/tasks.tsx';
import { ChartView } from './charts/chart.tsx';
import { Placeholder } from './placeholder.tsx';
import { useFieldFocus } from './use-field-focus.ts';

/** A block as it was received. */
type WireBlock = Readonly<Record<string, unknown>>;

/** Shows blocks in order. Needs a `SurfaceContext`. A block that can't be rendered is shown as text. */
export function Blocks({ blocks }: { readonly blocks: readonly WireBlock[] }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useFieldFocus(box, blocks);
  return (
    <div ref={box} className="kit-blocks">
      {blocks.map((block, index) => {
        const key = `${String(block.type)} ${String(block.block_id ?? index)}`;
        return (
          <BlockErrorBoundary key={key} block={block}>
            <div className={`kit-block kit-block-${String(block.type)}`}>
              {/* The cast is safe: the server has validated the block. */}
              <BlockView block={block as unknown as Block} />
            </div>
          </BlockErrorBoundary>
        );
      })}
    </div>
  );
}

function BlockView({ block }: { readonly block: Block }): ReactNode {
  switch (block.type) {
    case 'actions':
    case 'context_actions':
      return <ActionsView block={block} />;
    case 'alert':
      return <AlertView block={block} />;
    case 'card':
      return <CardView block={block} />;
    case 'carousel':
      return <CarouselView block={block} />;
    case 'container':
      return (
        <ContainerView block={block}>
          <Blocks blocks={block.child_blocks.map((child) => ({ ...child }))} />
        </ContainerView>
      );
    case 'context':
      return <ContextView block={block} />;
    case 'data_table':
      return <DataTableView block={block} />;
    case 'data_visualization':
      return <ChartView block={block} />;
    case 'divider':
      return <hr className="kit-divider" />;
    case 'file':
      return <FileView block={block} />;
    case 'header':
      return <HeaderView block={block} />;
    case 'image':
      return <ImageView block={block} />;
    case 'input':
      return <InputView block={block} />;
    case 'markdown':
      return <MarkdownView text={block.text} />;
    case 'plan':
      return <PlanView block={block} />;
    case 'rich_text':
      return <RichTextView block={block} />;
    case 'section':
      return <SectionView block={block} />;
    case 'table':
      return <TableView block={block} />;
    case 'task_card':
      return <TaskView block={block} />;
    case 'video':
      return <VideoView block={block} />;
    default:
      return <Placeholder block={block} />;
  }
}

interface BlockErrorBoundaryProps {
  readonly block: WireBlock;
  readonly children: ReactNode;
}

/** Keeps the other blocks working if a block fails to render. */
class BlockErrorBoundary extends Component<BlockErrorBoundaryProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidUpdate({ block }: BlockErrorBoundaryProps) {
    if (this.state.isBroken && block !== this.props.block) this.setState({ isBroken: false });
  }

  override render(): ReactNode {
    return this.state.isBroken ? <Placeholder block={this.props.block} /> : this.props.children;
  }
}
