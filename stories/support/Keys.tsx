/** What the keys and the mouse do, in a corner of a story. */
export function Keys({ keys }: { keys: Record<string, string> }) {
  return (
    <div
      style={{
        position: 'absolute',
        inset: 'auto auto 14px 14px',
        display: 'grid',
        gridTemplateColumns: 'auto auto',
        gap: '6px 10px',
        alignItems: 'center',
        font: '500 13px/1 system-ui, sans-serif',
        color: '#3c332e',
        pointerEvents: 'none',
      }}
    >
      {Object.entries(keys).flatMap(([key, deed]) => [
        <kbd
          key={key}
          style={{
            font: 'inherit',
            fontWeight: 700,
            justifySelf: 'end',
            padding: '5px 8px',
            background: '#fffdf9',
            border: '1px solid #b9aa9a',
            borderRadius: 6,
          }}
        >
          {key}
        </kbd>,
        <span key={`${key} deed`}>{deed}</span>,
      ])}
    </div>
  )
}
