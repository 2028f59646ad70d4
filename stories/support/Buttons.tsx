/** Buttons over the lower edge of a story, from left to right. */
export function Buttons({ actions }: { actions: Record<string, () => void> }) {
  return (
    <div
      style={{
        position: 'absolute',
        inset: 'auto 0 18px',
        display: 'flex',
        flexWrap: 'wrap',
        justifyContent: 'center',
        gap: 8,
        padding: '0 12px',
        pointerEvents: 'none',
      }}
    >
      {Object.entries(actions).map(([name, act]) => (
        <button
          key={name}
          type="button"
          onClick={act}
          style={{
            font: '600 14px/1 system-ui, sans-serif',
            padding: '11px 16px',
            color: '#3c332e',
            background: '#fffdf9',
            border: '1px solid #b9aa9a',
            borderRadius: 10,
            cursor: 'pointer',
            pointerEvents: 'auto',
          }}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
