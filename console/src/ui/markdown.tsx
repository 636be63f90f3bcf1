import { Anchor, Code, List, Text, Title } from '@mantine/core';
import { lexer, type Token } from 'marked';
import { Fragment, type ReactNode } from 'react';

/** Renders Markdown from elements: no HTML is made from text, and links do not navigate. */
export function Markdown({ text }: { text: string }) {
  return <>{blocks(lexer(text))}</>;
}

const inner = (token: Token): ReactNode =>
  'tokens' in token && token.tokens ? blocks(token.tokens) : 'text' in token ? token.text : null;

const blocks = (tokens: readonly Token[]): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no id, and are parsed anew on each input.
  tokens.map((token, index) => <Fragment key={index}>{elementOf(token)}</Fragment>);

function elementOf(token: Token): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <Text mb="xs">{inner(token)}</Text>;
    case 'heading':
      return (
        <Title order={3} size="h5" mb={4}>
          {inner(token)}
        </Title>
      );
    case 'list':
      return (
        <List type={token.ordered ? 'ordered' : 'unordered'} mb="xs">
          {(token.items as Token[]).map((item) => (
            <List.Item key={item.raw}>{inner(item)}</List.Item>
          ))}
        </List>
      );
    case 'blockquote':
      return <blockquote>{inner(token)}</blockquote>;
    case 'strong':
      return <strong>{inner(token)}</strong>;
    case 'em':
      return <em>{inner(token)}</em>;
    case 'del':
      return <s>{inner(token)}</s>;
    case 'link':
      return (
        <Anchor component="span" inherit td="underline">
          {inner(token)}
        </Anchor>
      );
    case 'codespan':
    case 'code':
      return <Code>{token.text}</Code>;
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'text':
    case 'escape':
      return inner(token);
    default:
      return null;
  }
}
