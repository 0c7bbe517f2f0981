/**
 * Tools for an agent's thread: an idle strategy, CPU pinning, the pause of an accept loop and waits that no interrupt
 * ends. They can be used without a server.
 */
package io.millrace.server.agent;
