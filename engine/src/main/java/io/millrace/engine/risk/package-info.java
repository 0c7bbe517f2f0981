/**
 * Users, their accounts and positions, and whether an order may be placed. Knows no thread, clock, server or logging.
 */
package io.millrace.engine.risk;
