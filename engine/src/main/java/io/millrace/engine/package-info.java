/**
 * The engine floor: what events mean.
 *
 * <p>The order book and the risk checks land here next. Nothing is implemented in this package yet; the module
 * exists so that its place in the floors (above the server, below examples and benchmarks) is enforced by the build
 * from the first day. Code that arrives here is deterministic: it starts no thread, reads no clock, draws no random
 * number and computes without floating point.
 */
package io.millrace.engine;
