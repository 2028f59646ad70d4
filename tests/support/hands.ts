import type { Attachment, Body, Vec3 } from '../../src/headless.js'

/**
 * A hand that takes hold of what is within `radius` [m] of a place of a body: a spring of 8 Hz with the whole of its mass,
 * critically damped, that gives it `acceleration` at most [m/s^2].
 */
export function takeHold(body: Body, place: Vec3, radius: number, acceleration = 400): Attachment {
  const stiffness = body.mass * (2 * Math.PI * 8) ** 2
  return body.attach(body.region(place, radius), {
    compliance: 1 / stiffness,
    damping: 2 * Math.sqrt(stiffness * body.mass),
    maxForce: acceleration * body.mass,
  })
}
