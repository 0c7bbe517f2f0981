/**
 * The matching engine: order books by symbol, with one set of commands.
 *
 * <p>Deterministic: starts no thread, reads no clock, draws no random number and computes without floating point.
 */
package io.millrace.engine;
