/**
 * The engine floor: what events mean. Order books by symbol behind commands.
 *
 * <p>Deterministic: starts no thread, reads no clock, draws no random number and computes without floating point.
 */
package io.millrace.engine;
