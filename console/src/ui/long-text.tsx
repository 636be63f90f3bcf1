import { Stack, Text, Textarea, type TextareaProps, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useLanguage } from '../lib/language.tsx';
import { announcedRoom, isNearEnd } from '../lib/text-room.ts';

interface Props extends Omit<TextareaProps, 'value' | 'onChange' | 'maxLength' | 'error'> {
  value: string;
  change: (text: string) => void;
  /** Letters; what is longer stays in the field and cannot be sent. */
  most: number;
}

/** A text with a limit: near its end the room that is left is shown and announced. Nothing that was pasted is cut. */
export function LongText({ value, change, most, ...props }: Props) {
  const { say } = useLanguage();
  const area = useRef<HTMLTextAreaElement>(null);
  const left = most - value.length;
  const over = left < 0 ? say('text.over', { count: -left, most }) : '';
  useEffect(() => area.current?.setCustomValidity(over), [over]);
  const announced = announcedRoom(left);
  return (
    <Stack gap={4}>
      <Textarea
        {...props}
        ref={area}
        value={value}
        onChange={(event) => change(event.currentTarget.value)}
        error={over || undefined}
      />
      {left >= 0 && isNearEnd(left, most) && (
        <Text size="xs" c="dimmed" ta="end" aria-hidden="true">
          {say('text.left', { count: left })}
        </Text>
      )}
      <VisuallyHidden role="status">
        {over || (announced === null ? '' : say('text.left', { count: announced }))}
      </VisuallyHidden>
    </Stack>
  );
}
