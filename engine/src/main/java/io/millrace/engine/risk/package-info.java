/**
 * Users with accounts and positions, and the pre-trade check of their orders. No threads, clock, server or logging.
 */
package io.millrace.engine.risk;
