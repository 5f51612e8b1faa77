package llm

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// Validate reports what is wrong with the client's fields, without any request.
// A caller that wants a usage error asks it first.
func (c *Client) Validate() error {
	_, err := c.check()
	return err
}

func (c *Client) baseURL() string { return cmp.Or(c.BaseURL, "https://api.openai.com/v1") }

// check returns the base URL in the form that go-openai wants.
func (c *Client) check() (*url.URL, error) {
	u, err := url.Parse(c.baseURL())
	switch {
	case c.Model == "":
		return nil, errors.New("no model given")
	case err != nil:
		return nil, errors.New("the base URL cannot be read; it should look like https://api.openai.com/v1")
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return nil, errors.New("the base URL must begin with https:// or http:// and name a host")
	case u.User != nil:
		return nil, errors.New("the base URL must not hold a user or password; the key belongs into its own setting")
	case u.Scheme == "http" && !c.AllowPlainHTTP && !isLoopback(u.Hostname()):
		return nil, fmt.Errorf("the base URL would send the key and the files to %s unencrypted; use https, or allow plain http", u.Host)
	case strings.ContainsFunc(string(c.Key), unfit):
		return nil, errors.New("the key holds a character that cannot be sent, such as a line break")
	}
	for name, value := range c.Headers {
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return unfit(r) || r == ' ' || r == ':' }) || strings.ContainsFunc(value, unfit) {
			return nil, fmt.Errorf("header %q holds a character that cannot be sent", name)
		}
	}
	for _, name := range []string{"model", "messages", "stream"} {
		if overridden(c.Fields, name) {
			return nil, fmt.Errorf("the extra request field %q is not yours to set", name)
		}
	}
	u.Fragment = ""
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions")
	return u, nil
}

// unfit reports whether a rune cannot stand in an HTTP header's value.
func unfit(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
